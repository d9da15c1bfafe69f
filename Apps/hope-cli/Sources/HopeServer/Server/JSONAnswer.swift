internal import TransportCore
internal import TransportHTTP

/// The JSON bodies that the server answers with.
enum JSONAnswer {
    /// An error as `{"error":{"code","message"}}`.
    static func failure(
        _ status: Int,
        _ code: String,
        _ message: String,
        headers: [(String, String)] = []
    ) -> HTTPServerResponse {
        let error = JSONValue.object(["code": .string(code), "message": .string(message)])
        var response = answer(JSONValue.object(["error": error]).bytes, status: status)
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
