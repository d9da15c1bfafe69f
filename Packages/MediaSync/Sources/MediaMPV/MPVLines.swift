/// Cuts the bytes that mpv writes into lines, wherever they were split on the way.
package struct MPVLines: Sendable {
    /// The longest line that is kept, in bytes; a longer one is skipped, so that none can fill the memory.
    package static let longestLine = 1 << 20

    private var rest: [UInt8] = []
    private var isSkipping = false

    /// Makes a cutter that has seen nothing.
    package init() {}

    /// Takes in more bytes.
    ///
    /// - Parameter bytes: What has arrived.
    /// - Returns: The lines that are complete now, without their ends; what is left waits for more.
    package mutating func append(_ bytes: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var begin = bytes.startIndex
        while let end = bytes[begin...].firstIndex(of: UInt8(ascii: "\n")) {
            keep(bytes[begin..<end])
            if isSkipping {
                isSkipping = false
            } else if !rest.isEmpty {
                lines.append(rest)
            }
            rest = []
            begin = end + 1
        }
        keep(bytes[begin...])
        return lines
    }

    private mutating func keep(_ piece: ArraySlice<UInt8>) {
        guard !isSkipping else { return }
        if rest.count + piece.count > Self.longestLine {
            rest = []
            isSkipping = true
        } else {
            rest += piece
        }
    }
}
