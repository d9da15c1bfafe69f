internal import Foundation
internal import TransportCore
internal import TransportHTTP

/// The answers of the media API.
enum MediaAnswer {
    /// An error as `{"error":"…"}`, the shape in which players show a server's words.
    static func refusal(_ status: Int, _ message: String, headers: [(String, String)] = []) -> HTTPServerResponse {
        var response = JSONAnswer.answer(JSONValue.object(["error": .string(message)]).bytes, status: status)
        for (name, value) in headers { response.headers.append(name, value) }
        return response
    }

    static func json(_ value: some Encodable) throws -> HTTPServerResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return JSONAnswer.answer(Array(try encoder.encode(value)))
    }

    /// Media or a picture, whole or in part (RFC 9110, sections 13 and 14).
    static func content(
        _ request: HTTPRequestHead,
        type: String,
        length: Int,
        entityTag: EntityTag?,
        lastModified: String?,
        body: (ByteRange?) -> HTTPRequestBody
    ) -> HTTPServerResponse {
        var headers: HTTPHeaders = [
            "Accept-Ranges": "bytes", "Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff",
        ]
        if let entityTag { headers.append("ETag", "\(entityTag)") }
        if let lastModified { headers.append("Last-Modified", lastModified) }
        if isUnchanged(request, entityTag, lastModified) {
            return HTTPServerResponse(status: 304, headers: headers)
        }
        headers.append("Content-Type", type)
        switch RangeRequest.answer(to: request, length: length, entityTag: entityTag, lastModified: lastModified) {
        case .whole:
            return HTTPServerResponse(headers: headers, body: body(nil))
        case .part(let range):
            if let field = ContentRange(range, total: length) { headers.append("Content-Range", "\(field)") }
            return HTTPServerResponse(status: 206, headers: headers, body: body(range))
        case .unsatisfiable:
            headers["Content-Type"] = nil
            headers.append("Content-Range", "\(ContentRange(unsatisfiableTotal: length))")
            return HTTPServerResponse(status: 416, headers: headers)
        }
    }

    private static func isUnchanged(
        _ request: HTTPRequestHead,
        _ entityTag: EntityTag?,
        _ lastModified: String?
    ) -> Bool {
        let tags = request.headers.values(of: "If-None-Match")
        if !tags.isEmpty { return entityTag?.isNamed(by: tags.joined(separator: ", ")) ?? false }
        guard let date = request.headers["If-Modified-Since"] else { return false }
        // As text: a server's own date comes back as it was.
        return date == lastModified
    }
}
