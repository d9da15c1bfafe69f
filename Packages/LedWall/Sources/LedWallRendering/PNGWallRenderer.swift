import HopeRaster
public import HopeTokens
public import LedWall
import Synchronization

/// Makes a PNG file of every picture.
///
/// The bytes depend on the pictures alone, for one version of zlib. The words that come with a picture have no place in it.
public final class PNGWallRenderer: WallRenderer {
    /// Takes one file and the number of its picture, counted from 0; throws where it cannot be kept.
    public typealias Sink = @Sendable (_ file: [UInt8], _ index: Int) throws -> Void

    private struct State {
        var count = 0
        var time: Double?
        var isFinished = false
    }

    private let painter: WallPicturePainter
    private let sink: Sink
    private let state = Mutex(State())

    /// Creates a renderer.
    ///
    /// - Parameters:
    ///   - side: The side of the pictures in pixels, 1...`WallPicturePainter.maximumSide`; others count as the nearest.
    ///   - background: What lies around the plate; nil is transparent.
    ///   - sink: Takes each file, one call at a time.
    public init(side: Int, background: ColorValue? = ColorToken.canvas.value, sink: @escaping Sink) {
        painter = WallPicturePainter(side: side, background: background)
        self.sink = sink
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension PNGWallRenderer {
    public func draw(_ picture: WallPicture, status: String) throws(WallRendererError) {
        try state.withLock { state throws(WallRendererError) in
            guard !state.isFinished else { throw .finished }
            if let time = state.time, picture.input.seconds < time {
                throw .timeWentBack(from: time, to: picture.input.seconds)
            }
            state.time = picture.input.seconds
            do {
                try sink(PNGEncoder.encode(painter.image(of: picture)), state.count)
            } catch {
                throw .output(String(describing: error))
            }
            state.count += 1
        }
    }

    public func finish() throws(WallRendererError) {
        state.withLock { $0.isFinished = true }
    }
}
