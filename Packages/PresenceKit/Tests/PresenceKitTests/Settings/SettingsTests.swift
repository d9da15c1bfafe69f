import PresenceKit
import Testing
import TransportCore

struct SettingsTests {
    @Test func areStoredUnderSnakeCaseNames() {
        let settings = Settings(
            serverURL: "https://a",
            voiceID: "en-US-JennyNeural",
            modelID: "m",
            isTextMode: true,
            volume: 0.5,
            additional: ["pins": .object(["a": .string("x")])]
        )
        let expected = """
            {
              "model": "m",
              "pins": {
                "a": "x"
              },
              "server_url": "https://a",
              "text_mode": true,
              "voice": "en-US-JennyNeural",
              "volume": 0.5
            }

            """
        #expect(String(decoding: settings.json, as: UTF8.self) == expected)
        #expect(Settings.read(settings.json)?.settings == settings)
    }

    @Test func aStoredVoiceThatIsNotInTheCatalogFallsBack() {
        var settings = Settings(voiceID: "xx-XX-GoneNeural")
        #expect(settings.voice == VoiceCatalog.defaultVoice)
        #expect(settings.voiceID == "xx-XX-GoneNeural")
        settings.voiceID = "en-US-JennyNeural"
        #expect(settings.voice.displayName == "Jenny")
    }

    @Test(arguments: [(-1.0, 0.0), (7, 1), (.infinity, 1), (.nan, 1), (0.3, 0.3)])
    func volumeStaysInItsRange(_ volume: Double, _ expected: Double) {
        #expect(Settings(volume: volume).volume == expected)
        var settings = Settings()
        settings.volume = volume
        #expect(settings.volume == expected)
    }

    @Test(arguments: [
        ("server_url", " https://hope.example.com/ ", "https://hope.example.com/"),
        ("server_url", "", "null"),
        ("voice", "EN-us-jennyNeural", "en-US-JennyNeural"),
        ("model", "gpt-4o", "gpt-4o"),
        ("model", " ", "null"),
        ("text_mode", "on", "true"),
        ("text_mode", "False", "false"),
        ("volume", "0.25", "0.25"),
    ])
    func areSetFromText(_ name: String, _ text: String, _ expected: String) throws {
        var settings = Settings(serverURL: "https://x", modelID: "x", isTextMode: name == "text_mode" && text != "on")
        try settings.set(name, to: text)
        let value = try #require(settings.value(named: name))
        if case .string(let string) = value { #expect(string == expected) } else { #expect(value.text == expected) }
    }

    @Test(arguments: [
        ("server_url", "ftp://x"), ("voice", "Jenny"), ("text_mode", "maybe"), ("volume", "2"), ("volume", "nan"),
        ("volume", "loud"), ("colour", "blue"),
    ])
    func refuseWhatTheyCannotBe(_ name: String, _ text: String) {
        var settings = Settings(serverURL: "https://x")
        let error = #expect(throws: SettingsError.self) { try settings.set(name, to: text) }
        #expect(error?.description.contains(name) == true)
        #expect(settings == Settings(serverURL: "https://x"))
    }

    @Test func listTheirNames() {
        #expect(Settings.keys == ["server_url", "voice", "model", "text_mode", "volume"])
        #expect(Settings().value(named: "colour") == nil)
    }

    @Test func surviveAnyBytes() {
        var random = SeededRandom(seed: 5)
        let seed = Settings(serverURL: "a", modelID: "m", additional: ["x": .array([.null, .number(1.5)])]).json
        for _ in 0..<1_000 {
            var bytes = seed
            for _ in 0...random.nextInt(below: 3) {
                bytes[random.nextInt(below: bytes.count)] = UInt8(truncatingIfNeeded: random.next())
            }
            if let read = Settings.read(bytes) {
                #expect(Settings.read(read.settings.json)?.settings == read.settings, "\(bytes)")
            }
        }
    }
}
