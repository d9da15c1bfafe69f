import TransportCore
import TransportHTTP

func expect(_ condition: Bool) {
    if !condition { fatalError("a promise is broken") }
}

/// What was read, with the pieces of bodies put together.
struct Reading: Equatable {
    var heads: [String] = []
    var body: [UInt8] = []
    var trailers: [HTTPHeaders] = []
    var error: HTTPMessageError.Code?
}

func requests(_ pieces: [[UInt8]]) -> Reading {
    var parser = HTTPRequestParser()
    var reading = Reading()
    do throws(HTTPMessageError) {
        for piece in pieces {
            parser.push(piece)
            while let event = try parser.next() {
                switch event {
                case .head(let head):
                    reading.heads.append("\(head)")
                    var second = HTTPRequestParser()
                    second.push(try head.serialized())
                    expect(try second.next() == .head(head))
                    _ = try? WebSocketHandshake.accept(head)
                    _ = RangeRequest.answer(to: head, length: 100)
                    _ = try HTTPTarget(head.target, method: head.method).segments
                case .body(let bytes): reading.body += bytes
                case .end(let trailers): reading.trailers.append(trailers)
                }
            }
        }
    } catch {
        reading.error = error.code
    }
    return reading
}

func responses(_ pieces: [[UInt8]]) -> Reading {
    var parser = HTTPResponseParser()
    for method in ["GET", "HEAD", "GET"] { parser.expect(method) }
    var reading = Reading()
    do throws(HTTPMessageError) {
        for piece in pieces {
            parser.push(piece)
            while let event = try parser.next() {
                switch event {
                case .interim(let head), .head(let head): reading.heads.append("\(head)")
                case .body(let bytes): reading.body += bytes
                case .end(let trailers): reading.trailers.append(trailers)
                }
            }
        }
        parser.pushEnd()
        while let event = try parser.next() {
            if case .end(let trailers) = event { reading.trailers.append(trailers) }
        }
    } catch {
        reading.error = error.code
    }
    return reading
}

func messages(_ role: WebSocketMachine.Role, _ pieces: [[UInt8]]) -> [WebSocketEvent] {
    var machine = WebSocketMachine(role: role, limits: WebSocketLimits(frameBytes: 1500, messageBytes: 1800))
    var events: [WebSocketEvent] = []
    for piece in pieces {
        machine.receive(piece)
        while let event = machine.next() { events.append(event) }
    }
    return events
}
