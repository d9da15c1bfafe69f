import Foundation

extension CodingUserInfoKey {
    /// Where a decoder keeps the server's base; the standard library refuses no non-empty name.
    static let mediaServerBase = CodingUserInfoKey(rawValue: "MediaSync.server.base")
}

extension Decoder {
    var mediaServerBase: URL? {
        CodingUserInfoKey.mediaServerBase.flatMap { userInfo[$0] as? URL }
    }
}

extension KeyedDecodingContainer {
    /// Decodes the address of a picture; one that cannot be used is as good as none.
    func decodePicture(forKey key: Key, base: URL?) throws -> URL? {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        return Self.url(text, base: base)
    }

    /// Decodes the address of something to play; one that no player may open, `file:` above all, is an error.
    func decodeAudio(forKey key: Key, base: URL?) throws -> URL? {
        guard let text = try decodeIfPresent(String.self, forKey: key), !text.isEmpty else { return nil }
        guard let url = Self.url(text, base: base) else {
            throw DecodingError.dataCorruptedError(
                forKey: key,
                in: self,
                debugDescription: "has an \(key.stringValue) that is not http(s)"
            )
        }
        return url
    }

    private static func url(_ text: String, base: URL?) -> URL? {
        guard !text.isEmpty, let url = URL(string: text, relativeTo: base)?.absoluteURL else { return nil }
        guard let scheme = url.scheme?.lowercased() else { return base == nil ? url : nil }
        return scheme == "http" || scheme == "https" ? url : nil
    }
}
