public import TransportCore

extension Settings {
    private enum Key: String, CaseIterable {
        case serverURL = "server_url"
        case voice
        case model
        case textMode = "text_mode"
        case volume
    }

    /// The names of all settings that have a meaning here, as they are stored and as a command line takes them.
    public static let keys: [String] = Key.allCases.map(\.rawValue)

    /// The settings as a JSON object with snake-case names, unknown settings included.
    ///
    /// Names are sorted by their code points; what stands inside an unknown setting stays in its order.
    public var value: JSONValue {
        var fields = additional
        for key in Key.allCases { fields[key.rawValue] = value(of: key) }
        let sorted = fields.sorted { $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars) }
        return .object(sorted.map { JSONValue.Member(name: $0.key, value: $0.value) })
    }

    /// The settings as UTF-8 JSON with sorted names and a last line break; equal settings give equal bytes.
    public var json: [UInt8] { Array((value.indentedText + "\n").utf8) }

    /// Reads settings as they are stored.
    ///
    /// A setting that is absent or null has its default. A setting of the wrong kind has its default too, and is named.
    ///
    /// - Parameter json: UTF-8 JSON.
    /// - Returns: The settings, and the names of those that could not be read; nil when the whole is no JSON object.
    public static func read(_ json: [UInt8]) -> (settings: Settings, unreadable: [String])? {
        guard let members = try? JSONValue(parsing: json).members else { return nil }
        var fields = Dictionary(members.map { ($0.name, $0.value) }) { $1 }
        var settings = Settings()
        var unreadable: [String] = []
        for key in Key.allCases {
            guard let value = fields.removeValue(forKey: key.rawValue), value != .null else { continue }
            switch (key, value) {
            case (.serverURL, .string(let text)): settings.serverURL = text.isEmpty ? nil : text
            case (.voice, .string(let text)) where !text.isEmpty: settings.voiceID = text
            case (.model, .string(let text)): settings.modelID = text.isEmpty ? nil : text
            case (.textMode, .bool(let isOn)): settings.isTextMode = isOn
            case (.volume, .number(let number)):
                if let volume = number.doubleValue {
                    settings.volume = volume
                } else {
                    unreadable.append(key.rawValue)
                }
            default: unreadable.append(key.rawValue)
            }
        }
        settings.additional = fields
        return (settings, unreadable)
    }

    /// The value of one setting, or nil for a name that has no meaning here.
    ///
    /// - Parameter name: One of ``keys``, or the name of an additional setting.
    /// - Returns: The value; `null` where nothing is chosen.
    public func value(named name: String) -> JSONValue? {
        Key(rawValue: name).map { value(of: $0) } ?? additional[name]
    }

    /// Changes one setting from a text, as a command line or a field gives it.
    ///
    /// - Parameters:
    ///   - name: One of ``keys``.
    ///   - text: The new value: an address, a voice of the catalog, a model, `on` or `off`, a volume from 0 to 1. White
    ///     space around it does not count; an empty address or model means none.
    /// - Throws: `SettingsError` when there is no such setting, or it cannot have this value; nothing has changed then.
    public mutating func set(_ name: String, to text: String) throws(SettingsError) {
        guard let key = Key(rawValue: name) else { throw SettingsError(.unknownName(name)) }
        let text = text.trimmingWhitespace()
        switch key {
        case .serverURL:
            if !text.isEmpty {
                do { _ = try ServerConfig(text) } catch {
                    throw SettingsError(.invalidValue(name: name, text: text, reason: error.message))
                }
            }
            serverURL = text.isEmpty ? nil : text
        case .voice:
            guard let voice = VoiceCatalog.voice(id: text) else {
                let ids = VoiceCatalog.all.map(\.id).joined(separator: ", ")
                throw SettingsError(.invalidValue(name: name, text: text, reason: "the voices are \(ids)"))
            }
            voiceID = voice.id
        case .model:
            modelID = text.isEmpty ? nil : text
        case .textMode:
            switch text.lowercased() {
            case "on", "true", "yes", "1": isTextMode = true
            case "off", "false", "no", "0": isTextMode = false
            default: throw SettingsError(.invalidValue(name: name, text: text, reason: "it is on or off"))
            }
        case .volume:
            guard let number = Double(text), (0...1).contains(number) else {
                throw SettingsError(.invalidValue(name: name, text: text, reason: "it is a number from 0 to 1"))
            }
            volume = number
        }
    }

    private func value(of key: Key) -> JSONValue {
        switch key {
        case .serverURL: .string(serverURL)
        case .voice: .string(voiceID)
        case .model: .string(modelID)
        case .textMode: .bool(isTextMode)
        case .volume: .decimal(volume)
        }
    }
}

extension String {
    fileprivate func trimmingWhitespace() -> String {
        let start = drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}
