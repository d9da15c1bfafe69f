/// What came over a WebSocket connection.
public enum WebSocketEvent: Hashable, Sendable {
    /// A whole text message.
    case text(String)
    /// A whole binary message.
    case binary([UInt8])
    /// A ping; its pong has been put out already.
    case ping([UInt8])
    /// A pong, asked for or not.
    case pong([UInt8])
    /// The other side's close frame, the last event; ``WebSocketCloseCode/noStatus`` when it named no code.
    case close(WebSocketCloseCode, reason: String)
    /// The connection broke, or was broken off, the last event; a close frame has been put out where that makes sense.
    case failed(WebSocketError)
}

/// How much is accepted of the other side.
public struct WebSocketLimits: Hashable, Sendable {
    /// The largest payload of one frame in bytes.
    public var frameBytes: Int
    /// The largest message in bytes.
    public var messageBytes: Int

    /// Creates limits.
    public init(frameBytes: Int = 1024 * 1024, messageBytes: Int = 1024 * 1024) {
        self.frameBytes = frameBytes
        self.messageBytes = messageBytes
    }
}

/// One end of one WebSocket connection after its handshake (RFC 6455), without a socket and without a clock.
///
/// What was received goes in by ``receive(_:)`` and comes out as events; what has to be sent is fetched with
/// ``takeOutgoing()`` after every call. Pongs and the answer to a close frame are put out by the machine; when to ping,
/// and how long to wait for anything, is the caller's business. Text is checked as it arrives, so that bad text is
/// refused at its first wrong byte, even within a frame.
public struct WebSocketMachine: Sendable {
    /// Which end it is.
    public enum Role: Sendable {
        /// The end that was connected to; it sends without a mask and demands one.
        case server
        /// The end that connected; each frame takes a key, which has to be unpredictable.
        case client(maskingKey: @Sendable () -> UInt32)

        fileprivate var isServer: Bool {
            if case .server = self { true } else { false }
        }
    }

    /// How far the connection has come.
    public enum State: Hashable, Sendable {
        /// Messages go both ways.
        case open
        /// A close frame has been put out, the other side's has not come.
        case closing
        /// Nothing more will be sent or read; the server closes the socket at once, the client waits for that a moment.
        case closed
    }

    /// How far the connection has come.
    public private(set) var state = State.open

    private let role: Role
    private let limits: WebSocketLimits
    private var outgoing: [UInt8] = []
    private var isSendingMessage = false

    private var input: [UInt8] = []
    private var position = 0
    private var frame: WebSocketFrameHeader?
    private var frameRead = 0
    private var control: [UInt8] = []
    private var messageOpcode: WebSocketOpcode?
    private var message: [UInt8] = []
    private var text = UTF8Validator()
    private var failure: WebSocketError?

    /// Creates the machine of a connection whose handshake is done.
    public init(role: Role, limits: WebSocketLimits = WebSocketLimits()) {
        self.role = role
        self.limits = limits
    }

    // MARK: Sending

    /// The bytes to send next, which are handed out once.
    public mutating func takeOutgoing() -> [UInt8] {
        defer { outgoing = [] }
        return outgoing
    }

    /// Puts out a text message.
    ///
    /// - Parameter text: The text.
    /// - Throws: `notOpen` after a close frame; `invalidArgument` within a fragmented message.
    public mutating func send(text: String) throws(WebSocketError) {
        try sendFragment(.text, Array(text.utf8), isFinal: true)
    }

    /// Puts out a binary message.
    ///
    /// - Parameter bytes: The message.
    /// - Throws: `notOpen` after a close frame; `invalidArgument` within a fragmented message.
    public mutating func send(binary bytes: [UInt8]) throws(WebSocketError) {
        try sendFragment(.binary, bytes, isFinal: true)
    }

    /// Puts out one frame of a message that is sent in several.
    ///
    /// - Parameters:
    ///   - opcode: The kind of message for its first frame, `continuation` for all others.
    ///   - payload: A part of the message; a text may be cut anywhere.
    ///   - isFinal: Whether it is the last part.
    /// - Throws: `notOpen` after a close frame; `invalidArgument` for a control opcode or one that is out of place.
    public mutating func sendFragment(
        _ opcode: WebSocketOpcode,
        _ payload: [UInt8],
        isFinal: Bool
    ) throws(WebSocketError) {
        guard !opcode.isControl, (opcode == .continuation) == isSendingMessage else {
            throw WebSocketError(.invalidArgument, "A message begins with text or binary and goes on by continuation.")
        }
        try checkOpen()
        put(opcode, payload, isFinal: isFinal)
        isSendingMessage = !isFinal
    }

    /// Puts out a ping.
    ///
    /// - Parameter payload: What the pong has to repeat, at most 125 bytes.
    /// - Throws: `notOpen` after a close frame; `invalidArgument` for a longer payload.
    public mutating func ping(_ payload: [UInt8] = []) throws(WebSocketError) {
        try putControl(.ping, payload)
    }

    /// Puts out a pong that nobody asked for, as a sign of life.
    ///
    /// - Parameter payload: At most 125 bytes.
    /// - Throws: `notOpen` after a close frame; `invalidArgument` for a longer payload.
    public mutating func pong(_ payload: [UInt8] = []) throws(WebSocketError) {
        try putControl(.pong, payload)
    }

    /// Puts out a close frame; nothing can be sent after it.
    ///
    /// - Parameters:
    ///   - code: One that may be sent, or `noStatus` for an empty frame.
    ///   - reason: At most 123 bytes of UTF-8; nothing with `noStatus`.
    /// - Throws: `notOpen` after a close frame; `invalidArgument` for another code or a longer reason.
    public mutating func close(_ code: WebSocketCloseCode = .normal, reason: String = "") throws(WebSocketError) {
        var payload: [UInt8] = []
        if code == .noStatus {
            guard reason.isEmpty else {
                throw WebSocketError(.invalidArgument, "A close frame without a code has no reason either.")
            }
        } else {
            guard code.isSendable else {
                throw WebSocketError(.invalidArgument, "A close frame cannot have the code \(code).")
            }
            payload = [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)] + reason.utf8
        }
        try putControl(.close, payload)
        state = .closing
    }

    private func checkOpen() throws(WebSocketError) {
        guard state == .open else {
            throw WebSocketError(.notOpen, "The connection is closing; open a new one to send more.")
        }
    }

    private mutating func putControl(_ opcode: WebSocketOpcode, _ payload: [UInt8]) throws(WebSocketError) {
        guard payload.count <= 125 else {
            throw WebSocketError(.invalidArgument, "A control frame has at most 125 bytes of payload.")
        }
        try checkOpen()
        put(opcode, payload, isFinal: true)
    }

    /// Puts out a close frame with nothing but a code, unless one has been put out.
    private mutating func answerClose(_ code: WebSocketCloseCode) {
        guard state == .open else { return }
        let payload = code == .noStatus ? [] : [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)]
        put(.close, payload, isFinal: true)
    }

    private mutating func put(_ opcode: WebSocketOpcode, _ payload: [UInt8], isFinal: Bool) {
        var header = WebSocketFrameHeader(opcode, isFinal: isFinal, length: payload.count)
        if case .client(let maskingKey) = role { header.maskingKey = maskingKey() }
        outgoing += header.bytes
        let start = outgoing.count
        outgoing += payload
        if let key = header.maskingKey {
            WebSocketMask.apply(to: &outgoing, in: start..<outgoing.count, key: key, offset: 0)
        }
    }

    // MARK: Receiving

    /// Takes in what was received.
    public mutating func receive(_ bytes: [UInt8]) {
        guard state != .closed else { return }
        if position == input.count {
            input = bytes
            position = 0
        } else {
            // Moving the rest to the front once it is the smaller half keeps the cost of a byte constant.
            if position > input.count / 2 {
                input.removeFirst(position)
                position = 0
            }
            input += bytes
        }
    }

    /// Says that the connection is gone; without a close frame before, the next event is a failure.
    public mutating func connectionLost() {
        guard state != .closed, failure == nil else { return }
        failure = WebSocketError(.connectionLost, "The connection was lost without a close frame.")
    }

    /// The next event, or `nil` when more bytes are needed or the connection is over.
    public mutating func next() -> WebSocketEvent? {
        guard state != .closed else { return nil }
        do throws(WebSocketError) {
            if let event = try read() { return event }
            guard let failure else { return nil }
            throw failure
        } catch {
            if error.code != .connectionLost { answerClose(error.closeCode) }
            finish()
            return .failed(error)
        }
    }

    private mutating func finish() {
        state = .closed
        (input, position, message, control) = ([], 0, [], [])
    }

    private mutating func read() throws(WebSocketError) -> WebSocketEvent? {
        while true {
            guard let frame else {
                guard let (header, size) = try WebSocketFrameHeader.parse(input[position...]) else { return nil }
                try accept(header)
                position += size
                self.frame = header
                frameRead = 0
                continue
            }
            let count = min(frame.length - frameRead, input.count - position)
            if count > 0 { try take(count, of: frame) }
            guard frameRead == frame.length else { return nil }
            self.frame = nil
            if let event = try finish(frame) { return event }
        }
    }

    /// Checks what can be said of a frame before any of its payload has come.
    private mutating func accept(_ header: WebSocketFrameHeader) throws(WebSocketError) {
        guard (header.maskingKey != nil) == role.isServer else {
            throw WebSocketError(
                .protocolViolation,
                role.isServer ? "A client sent a frame without a mask." : "A server sent a frame with a mask."
            )
        }
        if header.opcode.isControl { return }
        guard (header.opcode == .continuation) == (messageOpcode != nil) else {
            throw WebSocketError(
                .protocolViolation,
                messageOpcode == nil ? "There is no message to continue." : "A message begins within another."
            )
        }
        guard header.length <= limits.frameBytes else {
            throw WebSocketError(.messageTooLarge, "A frame is larger than \(limits.frameBytes) bytes.")
        }
        guard header.length <= limits.messageBytes - message.count else {
            throw WebSocketError(.messageTooLarge, "A message is larger than \(limits.messageBytes) bytes.")
        }
        if header.opcode != .continuation {
            messageOpcode = header.opcode
            text = UTF8Validator()
        }
    }

    private mutating func take(_ count: Int, of frame: WebSocketFrameHeader) throws(WebSocketError) {
        let bytes = input[position..<position + count]
        position += count
        defer { frameRead += count }
        if frame.opcode.isControl {
            let start = control.count
            control += bytes
            if let key = frame.maskingKey {
                WebSocketMask.apply(to: &control, in: start..<control.count, key: key, offset: frameRead)
            }
            return
        }
        let start = message.count
        message += bytes
        if let key = frame.maskingKey {
            WebSocketMask.apply(to: &message, in: start..<message.count, key: key, offset: frameRead)
        }
        if messageOpcode == .text, !text.append(message, in: start..<message.count) { throw Self.notText }
    }

    private mutating func finish(_ frame: WebSocketFrameHeader) throws(WebSocketError) -> WebSocketEvent? {
        if frame.opcode.isControl {
            let payload = control
            control = []
            return try finishControl(frame.opcode, payload)
        }
        guard frame.isFinal, let opcode = messageOpcode else { return nil }
        let payload = message
        message = []
        messageOpcode = nil
        guard opcode == .text else { return .binary(payload) }
        guard text.isComplete else { throw Self.notText }
        return .text(String(decoding: payload, as: UTF8.self))
    }

    private mutating func finishControl(
        _ opcode: WebSocketOpcode,
        _ payload: [UInt8]
    ) throws(WebSocketError) -> WebSocketEvent? {
        switch opcode {
        case .ping:
            // After a close frame nothing may be sent, a pong neither.
            if state == .open { put(.pong, payload, isFinal: true) }
            return .ping(payload)
        case .pong: return .pong(payload)
        default:
            let (code, reason) = try Self.closePayload(payload)
            answerClose(code)
            finish()
            return .close(code, reason: reason)
        }
    }

    private static func closePayload(
        _ payload: [UInt8]
    ) throws(WebSocketError) -> (code: WebSocketCloseCode, reason: String) {
        if payload.isEmpty { return (.noStatus, "") }
        guard payload.count >= 2 else {
            throw WebSocketError(.protocolViolation, "A close frame has half a code.")
        }
        let code = WebSocketCloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
        guard code.isSendable else {
            throw WebSocketError(.protocolViolation, "A close frame has the code \(code), which cannot be sent.")
        }
        guard let reason = String(validating: payload.dropFirst(2), as: UTF8.self) else {
            throw WebSocketError(.invalidText, "The reason of a close frame is not UTF-8.")
        }
        return (code, reason)
    }

    private static var notText: WebSocketError {
        WebSocketError(.invalidText, "A text message is not UTF-8.")
    }
}
