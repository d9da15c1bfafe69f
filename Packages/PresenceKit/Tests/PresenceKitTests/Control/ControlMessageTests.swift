import Foundation
import PresenceKit
import Testing
import TransportCore

struct ControlMessageTests {
    private static let wire: [(String, ControlMessage, String)] = [
        (#"{"type":"agent_ready"}"#, .agentReady, "conversation-control"),
        (#"{"type":"set_mode","mode":"text"}"#, .setMode(.text), "conversation-control"),
        (#"{"type":"set_mode","mode":"voice"}"#, .setMode(.voice), "conversation-control"),
        (#"{"type":"set_voice","voice":"en-US-JennyNeural"}"#, .setVoice("en-US-JennyNeural"), "voice-control"),
        (#"{"type":"set_model","model":"a \"b\" \\ c"}"#, .setModel(#"a "b" \ c"#), "voice-control"),
        (#"{"type":"models","models":["m1","m2"]}"#, .models(["m1", "m2"]), "voice-control"),
        (#"{"type":"models","models":[]}"#, .models([]), "voice-control"),
        (#"{"type":"model_changed","model":"m2"}"#, .modelChanged("m2"), "voice-control"),
    ]

    @Test(arguments: wire)
    func reads(_ json: String, _ message: ControlMessage, _: String) throws {
        #expect(try ControlMessage(payload: Array(json.utf8)) == message)
    }

    @Test(arguments: wire)
    func writesWithTheTypeFirst(_ json: String, _ message: ControlMessage, _: String) {
        #expect(message.json == json)
        #expect(message.payload == Array(json.utf8))
    }

    @Test(arguments: wire)
    func knowsItsTopic(_: String, _ message: ControlMessage, _ topic: String) {
        #expect(message.topic == topic)
    }

    @Test(arguments: wire)
    func isCodable(_: String, _ message: ControlMessage, _: String) throws {
        let data = try JSONEncoder().encode(message)
        #expect(try JSONDecoder().decode(ControlMessage.self, from: data) == message)
    }

    @Test func ignoresUnknownFields() throws {
        let json = #"{"seq":7,"mode":"text","type":"set_mode","by":{"who":[1,null]}}"#
        #expect(try ControlMessage(payload: Array(json.utf8)) == .setMode(.text))
    }

    @Test func keepsAMessageOfAnUnknownType() throws {
        let json = #"{ "type": "dance", "tempo": 120 }"#
        let message = try ControlMessage(payload: Array(json.utf8))
        #expect(message == .unknown(type: "dance", raw: json))
        #expect(message.payload == Array(json.utf8))
        #expect(message.topic == nil)
        let decoded = try JSONDecoder().decode(ControlMessage.self, from: JSONEncoder().encode(message))
        #expect(decoded == .unknown(type: "dance", raw: #"{"tempo":120,"type":"dance"}"#))
    }

    @Test func takesModelsAsObjectsToo() throws {
        let json = #"{"type":"models","models":["a",{"id":"b","name":"B"},{"name":"no id"},7,"a",""]}"#
        #expect(try ControlMessage(payload: Array(json.utf8)) == .models(["a", "b"]))
    }

    @Test(arguments: [
        ("", ControlMessageError.Reason.notJSON),
        ("agent_ready", .notJSON),
        (#"{"type":"agent_ready""#, .notJSON),
        ("[1]", .notAnObject),
        ("null", .notAnObject),
        ("{}", .missingType),
        (#"{"type":1}"#, .missingType),
        (
            #"{"type":"set_mode"}"#,
            .invalidField(name: "mode", type: "set_mode", expected: "a string that is not empty")
        ),
        (
            #"{"type":"set_mode","mode":"dance"}"#,
            .invalidField(name: "mode", type: "set_mode", expected: #""voice" or "text""#)
        ),
        (
            #"{"type":"set_voice","voice":""}"#,
            .invalidField(name: "voice", type: "set_voice", expected: "a string that is not empty")
        ),
        (#"{"type":"models","models":"a"}"#, .invalidField(name: "models", type: "models", expected: "a list")),
    ])
    func saysWhatIsWrong(_ json: String, _ reason: ControlMessageError.Reason) {
        let error = #expect(throws: ControlMessageError.self) { try ControlMessage(payload: Array(json.utf8)) }
        #expect(error?.reason == reason)
        #expect(error?.description.hasSuffix(".") == true)
    }

    @Test func refusesBytesThatAreNotUTF8() {
        #expect(throws: ControlMessageError.self) {
            try ControlMessage(payload: Array(#"{"type":""#.utf8) + [0xFF, 0xFE] + Array(#""}"#.utf8))
        }
    }

    @Test func survivesAnyBytes() {
        var random = SeededRandom(seed: 41)
        let seeds = Self.wire.map { Array($0.0.utf8) }
        for _ in 0..<2_000 {
            var bytes = seeds[random.nextInt(below: seeds.count)]
            for _ in 0...random.nextInt(below: 4) {
                let index = random.nextInt(below: bytes.count)
                switch random.nextInt(below: 3) {
                case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: index)
                default: if bytes.count > 1 { bytes.remove(at: index) }
                }
            }
            if let message = try? ControlMessage(payload: bytes) {
                #expect((try? ControlMessage(payload: message.payload)) == message, "\(bytes)")
            }
        }
    }

    @Test func refusesNestingWithoutEnd() {
        let deep = Array(String(repeating: "[", count: 50_000).utf8)
        #expect(throws: ControlMessageError.self) { try ControlMessage(payload: deep) }
    }
}
