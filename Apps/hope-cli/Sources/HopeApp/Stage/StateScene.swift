internal import LedWall

/// One look of the wall, for as long as it is watched.
struct StateScene: WallScene {
    private let state: WallState
    private let level: Double
    private let start: Double
    private var motion: WallMotion

    /// Makes a scene that begins at a moment, in seconds.
    init(_ state: WallState, level: Double, from start: Double, motion: WallMotion) {
        self.state = state
        self.level = level
        self.start = start
        self.motion = motion
    }

    var status: String { state.rawValue }
    var isSettled: Bool { motion.isSettled }
    var isOver: Bool { false }

    mutating func advance(to now: Duration) -> Bool { false }

    mutating func picture(at now: Duration) -> WallPicture {
        motion.picture(for: WallInput(state: state, level: level, seconds: start + now / .seconds(1)))
    }
}
