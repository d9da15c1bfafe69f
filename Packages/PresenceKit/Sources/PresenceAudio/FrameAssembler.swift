/// Joins bytes that come in any pieces into whole frames.
struct FrameAssembler: Sendable {
    let format: AudioFormat
    private(set) var frameCount = 0
    private var begun: [UInt8] = []

    init(format: AudioFormat) {
        self.format = format
    }

    /// The bytes of a frame whose end has not come.
    var unfinishedByteCount: Int { begun.count }

    mutating func add(_ bytes: UnsafeRawBufferPointer, _ body: (PCMFrames) -> Void) {
        var rest = bytes[...]
        if !begun.isEmpty {
            let part = rest.prefix(format.bytesPerFrame - begun.count)
            begun.append(contentsOf: part)
            rest = rest.dropFirst(part.count)
            guard begun.count == format.bytesPerFrame else { return }
            frameCount += 1
            begun.withUnsafeBytes { body(PCMFrames(format: format, bytes: $0)) }
            begun.removeAll(keepingCapacity: true)
        }
        let frames = PCMFrames(format: format, bytes: UnsafeRawBufferPointer(rebasing: rest))
        if frames.count > 0 {
            frameCount += frames.count
            body(frames)
        }
        begun.append(contentsOf: rest.dropFirst(frames.bytes.count))
    }
}
