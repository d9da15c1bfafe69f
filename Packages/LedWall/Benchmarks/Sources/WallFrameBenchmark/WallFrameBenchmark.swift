import LedWall

/// Times one frame of the wall, motion included, and prints the median of five runs in nanoseconds.
@main
struct WallFrameBenchmark {
    static let frames = 50_000

    static func main() {
        var motion = WallMotion()
        var picture = motion.picture(for: input(frame: 0))
        // The first run only warms up.
        let runs = (0...5).map { run in
            let clock = ContinuousClock()
            var sum: Float = 0
            let time = clock.measure {
                for frame in 0..<frames {
                    motion.advance(to: input(frame: run * frames + frame), into: &picture)
                    sum += picture.frame.opacity[frame % 441] + picture.frame.size[220]
                }
            }
            // Nobody can skip work whose result is looked at.
            precondition(sum > 0, "the wall is dark")
            return time / .nanoseconds(frames)
        }
        print(runs.dropFirst().sorted()[2])
    }

    /// A voice that rises and falls; the Node.js script has the same.
    static func input(frame: Int) -> WallInput {
        WallInput(state: .speaking, level: Double(frame % 90 + 1) / 90, seconds: Double(frame) / 30)
    }
}
