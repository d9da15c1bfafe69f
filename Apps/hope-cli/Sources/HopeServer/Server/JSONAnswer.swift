internal import Foundation
internal import TransportCore
internal import TransportHTTP

/// The JSON bodies that the server answers with.
enum JSONAnswer {
    private struct Failure: Encodable {
        struct Detail: Encodable {
            var code: String
            var message: String
        }
        var error: Detail
    }

    /// An error as `{"error":{"code","message"}}`.
    static func failure(
        _ status: Int,
        _ code: String,
        _ message: String,
        headers: [(String, String)] = []
    ) -> HTTPServerResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let body = try? encoder.encode(Failure(error: .init(code: code, message: message)))
        var response = answer(Array(body ?? Data("{}".utf8)), status: status)
        for (name, value) in headers { response.headers.append(name, value) }
        return response
    }

    static func answer(_ body: [UInt8], status: Int = 200) -> HTTPServerResponse {
        HTTPServerResponse(
            status: status,
            headers: [
                "Content-Type": "application/json", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
            ],
            body: .bytes(body)
        )
    }
}
