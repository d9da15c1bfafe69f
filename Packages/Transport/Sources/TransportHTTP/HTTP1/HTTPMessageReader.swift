import TransportCore

/// The part of reading that requests and answers share: lines, header fields and bodies out of bytes in any split.
///
/// A line is searched for its end from where the last search stopped, so that single bytes cost no more than blocks.
struct HTTPMessageReader: Sendable {
    enum BodyPart {
        case bytes(ArraySlice<UInt8>)
        case end(trailers: HTTPHeaders)
    }

    private enum BodyState {
        case finished
        case length(Int)
        case chunkSize
        case chunk(Int)
        case chunkEnd
        case trailers
        case untilClose
    }

    let limits: HTTPLimits
    /// The largest body of the message at hand.
    var bodyLimit: Int
    private(set) var hasEnded = false

    private var buffer: [UInt8] = []
    private var position = 0
    private var searched = 0
    private var fields: [HTTPHeaders.Field] = []
    private var fieldBytes = 0
    private var body = BodyState.finished
    private var bodyBytes = 0

    init(limits: HTTPLimits) {
        self.limits = limits
        bodyLimit = limits.bodyBytes
    }

    var isEmpty: Bool { position == buffer.count }

    mutating func push(_ bytes: [UInt8]) {
        guard !hasEnded, !bytes.isEmpty else { return }
        if isEmpty {
            buffer = bytes
            (position, searched) = (0, 0)
            return
        }
        // Moving the rest to the front once it is the smaller half keeps the cost of a byte constant.
        if position > buffer.count / 2 {
            buffer.removeFirst(position)
            searched -= position
            position = 0
        }
        buffer += bytes
    }

    mutating func end() {
        hasEnded = true
    }

    mutating func takeUnread() -> [UInt8] {
        defer {
            buffer = []
            (position, searched) = (0, 0)
        }
        return Array(buffer[position...])
    }

    // MARK: Lines

    /// The next line without its CR LF, or `nil` when its end is not there yet.
    private mutating func line(
        atMost limit: Int,
        orElse code: HTTPMessageError.Code
    ) throws(HTTPMessageError) -> ArraySlice<UInt8>? {
        guard let end = buffer[max(position, searched)...].firstIndex(of: HTTPSyntax.lineFeed) else {
            searched = buffer.count
            let pending = buffer.count - position - (buffer.last == HTTPSyntax.carriageReturn ? 1 : 0)
            if pending > limit { throw tooLong(code) }
            if hasEnded { throw HTTPMessageError(.truncated, "The connection ended within a message.") }
            return nil
        }
        var line = buffer[position..<end]
        let endsInPair = line.last == HTTPSyntax.carriageReturn
        if endsInPair { line = line.dropLast() }
        guard line.count <= limit else { throw tooLong(code) }
        guard endsInPair, !line.contains(HTTPSyntax.carriageReturn) else {
            throw HTTPMessageError(.invalidLineEnd, "A line does not end in CR LF, or has a CR in it.")
        }
        position = end + 1
        searched = position
        return line
    }

    mutating func startLine() throws(HTTPMessageError) -> ArraySlice<UInt8>? {
        try line(atMost: limits.startLineBytes, orElse: .startLineTooLong)
    }

    private func tooLong(_ code: HTTPMessageError.Code) -> HTTPMessageError {
        switch code {
        case .startLineTooLong:
            HTTPMessageError(code, "The first line is longer than \(limits.startLineBytes) bytes.")
        case .headersTooLarge:
            HTTPMessageError(code, "The headers are larger than \(limits.headerBytes) bytes.")
        default:
            HTTPMessageError(code, "A chunk is longer than its size, or its line than \(limits.chunkLineBytes) bytes.")
        }
    }

    /// The header fields once all of them are there.
    mutating func headers() throws(HTTPMessageError) -> HTTPHeaders? {
        while let line = try line(
            atMost: max(0, limits.headerBytes - fieldBytes - 2),
            orElse: .headersTooLarge
        ) {
            if line.isEmpty {
                defer {
                    fields = []
                    fieldBytes = 0
                }
                return HTTPHeaders(fields)
            }
            guard fields.count < limits.headerFields else {
                throw HTTPMessageError(.headersTooLarge, "There are more than \(limits.headerFields) header fields.")
            }
            fieldBytes += line.count + 2
            fields.append(try HTTPSyntax.field(line))
        }
        return nil
    }

    // MARK: Bodies

    mutating func beginBody(_ framing: HTTPBodyFraming) {
        bodyLimit = limits.bodyBytes
        bodyBytes = 0
        switch framing {
        case .empty: body = .finished
        case .length(let length): body = length == 0 ? .finished : .length(length)
        case .chunked: body = .chunkSize
        case .untilClose: body = .untilClose
        }
    }

    mutating func bodyPart() throws(HTTPMessageError) -> BodyPart? {
        while true {
            switch body {
            case .finished:
                return .end(trailers: [:])
            case .length(let rest):
                if bodyBytes == 0, rest > bodyLimit { throw tooLarge }
                guard let bytes = try take(atMost: rest) else { return nil }
                body = bytes.count == rest ? .finished : .length(rest - bytes.count)
                return .bytes(bytes)
            case .untilClose:
                if isEmpty {
                    if hasEnded { return .end(trailers: [:]) }
                    return nil
                }
                guard bodyBytes < bodyLimit else { throw tooLarge }
                return try take(atMost: bodyLimit - bodyBytes).map { .bytes($0) }
            case .chunkSize:
                guard let size = try chunkSize() else { return nil }
                body = size == 0 ? .trailers : .chunk(size)
            case .chunk(let rest):
                guard let bytes = try take(atMost: rest) else { return nil }
                body = bytes.count == rest ? .chunkEnd : .chunk(rest - bytes.count)
                return .bytes(bytes)
            case .chunkEnd:
                guard try line(atMost: 0, orElse: .invalidChunk) != nil else { return nil }
                body = .chunkSize
            case .trailers:
                guard let trailers = try headers() else { return nil }
                for name in ["Content-Length", "Transfer-Encoding", "Host"] where trailers[name] != nil {
                    throw HTTPMessageError(.invalidHeader, "The field \(name) cannot stand behind the body.")
                }
                body = .finished
                return .end(trailers: trailers)
            }
        }
    }

    private var tooLarge: HTTPMessageError {
        HTTPMessageError(.bodyTooLarge, "The body is larger than \(bodyLimit) bytes.")
    }

    private mutating func take(atMost limit: Int) throws(HTTPMessageError) -> ArraySlice<UInt8>? {
        if isEmpty {
            if hasEnded { throw HTTPMessageError(.truncated, "The connection ended within a body.") }
            return nil
        }
        let bytes = buffer[position..<position + min(limit, buffer.count - position)]
        position = bytes.endIndex
        searched = position
        bodyBytes += bytes.count
        return bytes
    }

    private mutating func chunkSize() throws(HTTPMessageError) -> Int? {
        guard let line = try line(atMost: limits.chunkLineBytes, orElse: .invalidChunk) else { return nil }
        let failure = HTTPMessageError(.invalidChunk, "A chunk's size is not a number in hexadecimal digits.")
        var size = 0
        var rest = line
        while let value = rest.first.flatMap(HTTPSyntax.hexValue) {
            // Far above any limit, and far below where the sum would overflow.
            guard size < 1 << 56 else { throw tooLarge }
            size = size << 4 | Int(value)
            rest = rest.dropFirst()
        }
        guard rest.startIndex > line.startIndex else { throw failure }
        if !rest.isEmpty {
            guard HTTPSyntax.trimmed(rest).first == UInt8(ascii: ";"), rest.allSatisfy(HTTPSyntax.isFieldContent) else {
                throw failure
            }
        }
        guard size <= bodyLimit - bodyBytes else { throw tooLarge }
        return size
    }
}
