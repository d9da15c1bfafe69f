/// What has been said so far, as much of it as a model is told again.
struct ChatHistory: Sendable {
    /// Whose words these are.
    enum Role: String, Sendable {
        case user
        case assistant
    }

    /// One side's words.
    struct Message: Hashable, Sendable {
        var role: Role
        var text: String
    }

    private let maximumMessages: Int
    private let maximumBytes: Int
    private(set) var messages: [Message] = []
    private var bytes = 0

    init(maximumMessages: Int, maximumBytes: Int) {
        self.maximumMessages = max(1, maximumMessages)
        self.maximumBytes = max(4, maximumBytes)
    }

    /// Adds words, and forgets the oldest ones where there are too many.
    mutating func append(_ role: Role, _ text: String) {
        guard !text.isEmpty else { return }
        let kept = Self.end(of: text, bytes: maximumBytes)
        if let last = messages.last, last.role == role {
            // Many models take turns only: two messages of one side become one.
            messages.removeLast()
            bytes -= last.text.utf8.count
            messages.append(Message(role: role, text: Self.end(of: last.text + "\n" + kept, bytes: maximumBytes)))
        } else {
            messages.append(Message(role: role, text: kept))
        }
        bytes += messages.last?.text.utf8.count ?? 0
        while messages.count > maximumMessages || bytes > maximumBytes, messages.count > 1 { forgetFirst() }
        while messages.count > 1, messages.first?.role == .assistant { forgetFirst() }
    }

    private mutating func forgetFirst() {
        bytes -= messages.removeFirst().text.utf8.count
    }

    /// The last part of a text that has no more bytes than this, and no half scalar.
    private static func end(of text: String, bytes: Int) -> String {
        guard text.utf8.count > bytes else { return text }
        let start = text.utf8.index(text.endIndex, offsetBy: -bytes)
        return String(decoding: text.utf8[start...].drop { $0 & 0xC0 == 0x80 }, as: UTF8.self)
    }
}
