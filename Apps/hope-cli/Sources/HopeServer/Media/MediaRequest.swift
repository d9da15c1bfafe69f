internal import TransportCore
internal import TransportHTTP

/// A request to the media API, over the network or within the process.
struct MediaRequest: Sendable {
    /// More than any request of the API needs.
    static let maximumBodyBytes = 64 * 1024

    let head: HTTPRequestHead
    let target: HTTPTarget
    let caller: RequestGuard.Caller
    let readBody: @Sendable () async throws -> [UInt8]

    /// The members of the body, an object.
    ///
    /// - Throws: `MediaRefusal` with 400 for anything else and 413 for too much; what reading throws.
    func object() async throws -> JSONValue {
        let bytes: [UInt8]
        do {
            bytes = try await readBody()
        } catch let error as TransportError {
            guard case .payloadTooLarge = error.code else { throw error }
            throw MediaRefusal(413, "the body must have at most \(Self.maximumBodyBytes) bytes")
        }
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw MediaRefusal(400, "the body is not JSON: \(error.reason) at byte \(error.offset)")
        }
        guard value.members != nil else { throw MediaRefusal(400, "the body must be a JSON object") }
        return value
    }
}

extension JSONValue {
    /// The text of a member; nil when it is missing or null.
    ///
    /// - Throws: 400 when it is anything else.
    func text(_ name: String) throws(MediaRefusal) -> String? {
        guard let value = self[name], value != .null else { return nil }
        guard let text = value.stringValue else { throw MediaRefusal(400, "\(name) must be a string") }
        return text
    }

    /// The number of a member; nil when it is missing or null.
    ///
    /// - Throws: 400 when it is anything else, or not in the range.
    func number(_ name: String, in range: ClosedRange<Double>) throws(MediaRefusal) -> Double? {
        guard let value = self[name], value != .null else { return nil }
        guard let number = value.doubleValue, number.isFinite, range.contains(number) else {
            throw MediaRefusal(
                400,
                range.upperBound.isFinite
                    ? "\(name) must be a number from \(JSONValue.number(range.lowerBound)) to \(JSONValue.number(range.upperBound))"
                    : "\(name) must be a number, \(JSONValue.number(range.lowerBound)) or more"
            )
        }
        return number
    }

    /// The truth of a member; nil when it is missing or null.
    ///
    /// - Throws: 400 when it is anything else.
    func truth(_ name: String) throws(MediaRefusal) -> Bool? {
        guard let value = self[name], value != .null else { return nil }
        guard let truth = value.boolValue else { throw MediaRefusal(400, "\(name) must be true or false") }
        return truth
    }

    /// The room that a request is about.
    ///
    /// - Throws: 400 for what cannot be a room's name.
    func room() throws(MediaRefusal) -> String { try MediaService.room(try text("room")) }
}
