import Dispatch
public import PresenceKit
public import Testing
import TransportCore

/// A place on which the laws try a kind of settings storage.
public struct SettingsStoragePlace: Sendable {
    /// Opens a storage on the place, as another run of the program would.
    public var open: @Sendable () throws -> any SettingsStorage
    /// Replaces what is stored by these bytes, past the storage.
    public var plant: @Sendable ([UInt8]) throws -> Void
    /// The contents that were put aside, oldest first.
    public var setAside: @Sendable () throws -> [[UInt8]]

    /// Describes a place; nothing may be stored there yet.
    ///
    /// - Parameters:
    ///   - open: Opens a storage on the place.
    ///   - plant: Replaces what is stored by bytes.
    ///   - setAside: The contents that were put aside, oldest first.
    public init(
        open: @escaping @Sendable () throws -> any SettingsStorage,
        plant: @escaping @Sendable ([UInt8]) throws -> Void,
        setAside: @escaping @Sendable () throws -> [[UInt8]]
    ) {
        self.open = open
        self.plant = plant
        self.setAside = setAside
    }
}

/// The promises of a settings storage; each is one case, to be checked on a place of its own.
public enum SettingsStorageLaw: CaseIterable, Sendable {
    /// Where nothing was saved, the defaults are loaded without a notice.
    case nothingStoredIsTheDefault
    /// What was saved is loaded again, by a later instance too.
    case readsBackWhatItSaved
    /// Settings that nothing here knows survive loading and saving.
    case keepsAdditionalSettings
    /// A later save replaces an earlier one, values that are no longer set included.
    case theLastSaveWins
    /// Of saves that overlap one is stored, whole.
    case overlappingSavesLeaveOneWhole
    /// Unreadable contents are put aside byte for byte, and a notice says so.
    case unreadableContentsArePutAside
    /// Contents that were put aside earlier stay when others follow.
    case earlierContentsStayAside
    /// After unreadable contents the next save is loaded without a notice.
    case savesAfterUnreadableContents
    /// A setting of the wrong kind has its default, the others stay, and a notice names it.
    case oneWrongSettingLosesNoOther

    private static let saved = Settings(
        serverURL: "https://hope.example.com",
        voiceID: "en-US-JennyNeural",
        modelID: "model \"é\" 1",
        isTextMode: true,
        volume: 0.25
    )

    /// Checks the promise, and records an issue where it is broken.
    ///
    /// - Parameters:
    ///   - place: A fresh place.
    ///   - sourceLocation: Where issues are recorded.
    /// - Throws: What the storage throws.
    public func check(
        _ place: SettingsStoragePlace,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        switch self {
        case .nothingStoredIsTheDefault:
            let loaded = try place.open().load()
            #expect(loaded.settings == Settings(), sourceLocation: sourceLocation)
            #expect(loaded.notices.isEmpty, sourceLocation: sourceLocation)
            #expect(try place.setAside().isEmpty, sourceLocation: sourceLocation)

        case .readsBackWhatItSaved:
            let storage = try place.open()
            try storage.save(Self.saved)
            #expect(try storage.load() == LoadedSettings(settings: Self.saved), sourceLocation: sourceLocation)
            #expect(try place.open().load() == LoadedSettings(settings: Self.saved), sourceLocation: sourceLocation)

        case .keepsAdditionalSettings:
            let json =
                #"{"server_url":"a","later":{"list":[1,2.5,null,true,"x"],"deep":{"k":""}},"n":9007199254740993}"#
            try place.plant(Array(json.utf8))
            let storage = try place.open()
            var settings = try storage.load().settings
            settings.isTextMode = true
            try storage.save(settings)
            let again = try place.open().load().settings
            let later: JSONValue = .object([
                "list": .array([.integer(1), .number(2.5), .null, .bool(true), .string("x")]),
                "deep": .object(["k": .string("")]),
            ])
            #expect(
                again.additional == ["later": later, "n": .integer(9_007_199_254_740_993)],
                sourceLocation: sourceLocation
            )
            #expect(again.serverURL == "a" && again.isTextMode, sourceLocation: sourceLocation)

        case .theLastSaveWins:
            let storage = try place.open()
            try storage.save(Self.saved)
            try storage.save(Settings(volume: 0.5))
            #expect(
                try place.open().load() == LoadedSettings(settings: Settings(volume: 0.5)),
                sourceLocation: sourceLocation
            )

        case .overlappingSavesLeaveOneWhole:
            let storage = try place.open()
            let all = (0..<8).map { Settings(modelID: "model \($0)", volume: Double($0) / 8) }
            DispatchQueue.concurrentPerform(iterations: all.count) { try? storage.save(all[$0]) }
            let loaded = try place.open().load()
            #expect(all.contains(loaded.settings) && loaded.notices.isEmpty, sourceLocation: sourceLocation)

        case .unreadableContentsArePutAside:
            for (index, contents) in Self.unreadable.enumerated() {
                try place.plant(contents)
                let loaded = try place.open().load()
                #expect(loaded.settings == Settings(), sourceLocation: sourceLocation)
                #expect(loaded.notices.count == 1, sourceLocation: sourceLocation)
                let aside = try place.setAside()
                #expect(aside.count == index + 1 && aside.last == contents, sourceLocation: sourceLocation)
            }

        case .earlierContentsStayAside:
            for contents in Self.unreadable {
                try place.plant(contents)
                _ = try place.open().load()
            }
            #expect(try place.setAside() == Self.unreadable, sourceLocation: sourceLocation)

        case .savesAfterUnreadableContents:
            try place.plant(Self.unreadable[0])
            let storage = try place.open()
            _ = try storage.load()
            try storage.save(Self.saved)
            #expect(try place.open().load() == LoadedSettings(settings: Self.saved), sourceLocation: sourceLocation)
            #expect(try place.setAside() == [Self.unreadable[0]], sourceLocation: sourceLocation)

        case .oneWrongSettingLosesNoOther:
            try place.plant(Array(#"{"volume":"loud","text_mode":true,"voice":"en-GB-RyanNeural"}"#.utf8))
            let loaded = try place.open().load()
            let expected = Settings(voiceID: "en-GB-RyanNeural", isTextMode: true)
            #expect(loaded.settings == expected, sourceLocation: sourceLocation)
            #expect(loaded.notices.count == 1, sourceLocation: sourceLocation)
            #expect(loaded.notices.first?.contains("volume") == true, sourceLocation: sourceLocation)
            #expect(try place.setAside().isEmpty, sourceLocation: sourceLocation)
        }
    }

    private static let unreadable: [[UInt8]] = [
        Array(#"{"volume":0.5"#.utf8), Array("[]".utf8), [], [0xFF, 0x00, 0x7B],
    ]
}
