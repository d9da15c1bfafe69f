public import LedWall
import Synchronization

/// Draws the wall on a terminal, two dots to a character cell.
///
/// - In colour a cell is a half block, each half a dot blended over the plate by its opacity; a dot's size makes it
///   brighter, as there is no room for its diameter. Without colour a cell is a character of a density ramp.
/// - 21 × 21 dots take 21 columns × 11 rows, or 42 × 21 where they fit, with a rim of plate where that fits as well. The
///   wall stands in the middle; what does not fit is cut off evenly, down to one cell. A terminal of 0 columns or rows is
///   not written to.
/// - The first picture takes the alternate screen and hides the cursor. Each picture is one write in synchronised mode
///   that holds only the cells that changed; nothing ever scrolls.
/// - Where the output is no terminal it gets one plain line for each change of state, level (by 0.1 or more) or words.
///
/// The renderer only makes bytes. Whoever owns the terminal asks for its size, and writes `restoreSequence` when a signal
/// ends the process before `finish()`.
public final class TerminalWallRenderer: WallRenderer {
    /// Takes the bytes of one write; throws where they cannot be written.
    public typealias Sink = @Sendable (_ bytes: [UInt8]) throws -> Void

    /// What the output can do.
    public enum Output: Hashable, Sendable {
        /// A terminal that moves its cursor, of a size in cells.
        case screen(TerminalSize)
        /// A pipe, a file or a terminal that only takes lines (`TERM=dumb`).
        case lines
    }

    /// The bytes that give a terminal back: ends synchronised mode, resets colours, turns wrapping on, leaves the alternate
    /// screen, shows the cursor.
    ///
    /// Harmless at any time, more than once too, and after a frame that was cut off in the middle. Needs no renderer, so
    /// that a signal handler can write them.
    public static let restoreSequence: [UInt8] = TerminalCode.restore

    private struct State {
        var screen: TerminalScreen?
        var lines: WallLines
        var last: (picture: WallPicture, status: String)?
        var time: Double?
        var holdsScreen = false
        var isSuspended = false
        var isFinished = false
    }

    private let sink: Sink
    private let state: Mutex<State>

    /// Creates a renderer; nothing is written before the first picture.
    ///
    /// - Parameters:
    ///   - output: What the output can do.
    ///   - colorMode: How many colours to use, from `TerminalColorMode.decide`.
    ///   - sink: Takes the bytes of each write, one call at a time.
    public init(output: Output, colorMode: TerminalColorMode, sink: @escaping Sink) {
        self.sink = sink
        var screen: TerminalScreen?
        if case .screen(let size) = output {
            screen = TerminalScreen(size: size, colorMode: colorMode)
        }
        state = Mutex(State(screen: screen, lines: WallLines(colorMode: colorMode)))
    }

    /// Follows a new size of the terminal: clears it and draws the last picture again, in one write.
    ///
    /// - Parameter size: The new size in cells.
    /// - Throws: `.output` where the terminal cannot be written.
    public func resize(to size: TerminalSize) throws(WallRendererError) {
        try state.withLock { state throws(WallRendererError) in
            guard let old = state.screen?.size, old != size else { return }
            state.screen?.resize(to: size)
            guard !state.isSuspended, !state.isFinished, let last = state.last else { return }
            try show(last.picture, last.status, &state)
        }
    }

    /// Gives the terminal back for a while, for instance when the process is about to be stopped (SIGTSTP).
    ///
    /// The next picture takes it again and is drawn whole.
    ///
    /// - Throws: `.output` where the terminal cannot be written.
    public func suspend() throws(WallRendererError) {
        try state.withLock { state throws(WallRendererError) in
            state.isSuspended = true
            try release(&state)
        }
    }

    /// Takes note that somebody else has given the terminal back; the next picture takes it again and is drawn whole.
    public func forgetScreen() {
        state.withLock { state in
            state.holdsScreen = false
            state.screen?.forget()
        }
    }

    private func show(_ picture: WallPicture, _ status: String, _ state: inout State) throws(WallRendererError) {
        guard state.screen != nil else {
            guard let line = state.lines.line(for: picture, status: status) else { return }
            do {
                try write(line)
            } catch {
                state.lines.forget()
                throw error
            }
            return
        }
        var bytes = state.screen?.frame(picture, status: status) ?? []
        guard !bytes.isEmpty else { return }
        if !state.holdsScreen {
            bytes = TerminalCode.enter + bytes
            state.holdsScreen = true
        }
        do {
            try write(bytes)
        } catch {
            state.screen?.forget()
            throw error
        }
    }

    private func release(_ state: inout State) throws(WallRendererError) {
        guard state.holdsScreen else { return }
        state.holdsScreen = false
        state.screen?.forget()
        try write(Self.restoreSequence)
    }

    private func write(_ bytes: [UInt8]) throws(WallRendererError) {
        do {
            try sink(bytes)
        } catch {
            throw .output(String(describing: error))
        }
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension TerminalWallRenderer {
    public func draw(_ picture: WallPicture, status: String) throws(WallRendererError) {
        try state.withLock { state throws(WallRendererError) in
            guard !state.isFinished else { throw .finished }
            if let time = state.time, picture.input.seconds < time {
                throw .timeWentBack(from: time, to: picture.input.seconds)
            }
            state.time = picture.input.seconds
            state.last = (picture, status)
            state.isSuspended = false
            try show(picture, status, &state)
        }
    }

    public func finish() throws(WallRendererError) {
        try state.withLock { state throws(WallRendererError) in
            guard !state.isFinished else { return }
            state.isFinished = true
            try release(&state)
        }
    }
}
