/// Takes the delivery markers out of agent text as it streams in.
///
/// Delivery markers tell a speech engine how to say something; they are not meant to be read. They are
/// square-bracket cues of one to three lower-case words (`[warm]`, `[short pause]`) and SSML-like tags
/// (`<break time="300ms"/>`, `<emphasis>`), and they go with the white space they leave. Text between an opening
/// and a closing tag stays. Markdown links, citations (`[1]`), check boxes (`[ ]`, `[x]`), an index in use (`row[key] = 1`),
/// code spans, fenced code and maths (`$…$`, `$$…$$`, `\(…\)`, `\[…\]`) stay as they are.
///
/// However a text is cut into chunks, the result is the same, and no part of a marker is ever visible.
public struct DeliveryMarkerFilter: Sendable {
    private var state = MarkerScan()
    private var committed = ""
    private var tail: [Unicode.Scalar] = []

    /// Makes a filter for one text.
    public init() {}

    /// What a reader may see of the text so far.
    public private(set) var visibleText = ""

    /// Takes the next chunk of the text.
    ///
    /// - Parameter chunk: The text that follows what came before; it may end in the middle of a marker.
    public mutating func append(_ chunk: String) {
        tail.append(contentsOf: chunk.unicodeScalars)
        let consumed = state.run(over: tail, mode: .commit)
        tail.removeFirst(consumed)
        committed += state.takeText()
        var preview = state
        _ = preview.run(over: tail, mode: .preview)
        visibleText = committed + preview.takeText() + preview.visibleTrailingWhitespace
    }

    /// Ends the text, and gives what is to be read of the whole.
    ///
    /// What began like a marker and was not one is part of it.
    public mutating func finish() -> String {
        _ = state.run(over: tail, mode: .final)
        tail = []
        committed += state.takeText() + state.takeTrailingWhitespace()
        visibleText = committed
        return committed
    }

    /// A whole text without its delivery markers.
    public static func strip(_ text: String) -> String {
        var filter = Self()
        filter.append(text)
        return filter.finish()
    }
}
