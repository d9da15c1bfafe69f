import TransportCore

/// An answer with the fields that the protocol needs, ready to be written.
struct HTTPServerAnswer {
    let head: HTTPResponseHead
    let framing: HTTPBodyFraming
    /// What of the body is sent at all.
    let body: HTTPRequestBody
    let keepsAlive: Bool

    init(_ response: HTTPServerResponse, to request: HTTPRequestHead, keepsAlive: Bool) {
        var headers = response.headers
        for name in ["Connection", "Keep-Alive", "Transfer-Encoding", "Upgrade"] { headers[name] = nil }
        let isHead = request.method == "HEAD"
        let hasNoBody = response.status < 200 || response.status == 204 || response.status == 304
        var keepsAlive = keepsAlive
        var framing = HTTPBodyFraming.empty
        switch response.body {
        case .none:
            // A HEAD's answer may give the length of what a GET would bring.
            if !hasNoBody, !(isHead && headers["Content-Length"] != nil) { headers["Content-Length"] = "0" }
        case .bytes(let bytes):
            framing = .length(bytes.count)
            headers["Content-Length"] = "\(bytes.count)"
        case .stream(_, .some(let length)):
            framing = .length(length)
            headers["Content-Length"] = "\(length)"
        case .stream(_, .none):
            headers["Content-Length"] = nil
            if request.version == .http11 {
                framing = .chunked
                headers["Transfer-Encoding"] = "chunked"
            } else {
                framing = .untilClose
                keepsAlive = false
            }
        }
        if hasNoBody {
            headers["Transfer-Encoding"] = nil
            if response.status != 304 { headers["Content-Length"] = nil }
        }
        if isHead || hasNoBody {
            body = .none
            framing = .empty
        } else {
            body = response.body
        }
        if !keepsAlive {
            headers["Connection"] = "close"
        } else if request.version == .http10 {
            headers["Connection"] = "keep-alive"
        }
        self.keepsAlive = keepsAlive
        self.framing = framing
        head = HTTPResponseHead(status: response.status, headers: headers)
    }
}
