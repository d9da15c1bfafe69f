internal import LedWall
internal import TransportCore

/// What a wall shows over time.
protocol WallScene {
    /// The words beside the wall.
    var status: String { get }
    /// Whether further pictures would look like the last one.
    var isSettled: Bool { get }
    /// Whether there is nothing more to come.
    var isOver: Bool { get }

    /// Goes on to a time; times never run back.
    ///
    /// - Returns: Whether anything changed that a settled picture does not show.
    mutating func advance(to now: Duration) throws -> Bool

    /// The picture of a moment; times never run back.
    mutating func picture(at now: Duration) -> WallPicture
}

/// Draws a scene at the pacer's pace.
struct WallLoop {
    var renderer: (any WallRenderer)?
    var framesPerSecond = 30
    var clock: any Clock<Duration>
    /// When to end; nil to end with the scene.
    var limit: Duration?

    /// Runs to the end: of the scene, of the limit, or of the task.
    ///
    /// - Throws: `CancellationError`, or what the scene or the renderer throws. The renderer is finished in every case.
    func run(_ scene: some WallScene) async throws {
        do {
            try await draw(scene)
        } catch {
            try? renderer?.finish()
            throw error
        }
        try renderer?.finish()
    }

    private func draw(_ scene: some WallScene) async throws {
        let time = Stopwatch(clock: clock)
        var scene = scene
        var pacer = WallPacer(framesPerSecond: framesPerSecond)
        while true {
            let now = time.elapsed
            if try scene.advance(to: now) { pacer.isSettled = false }
            if let renderer, pacer.beginFrame(at: now) {
                try renderer.draw(scene.picture(at: now), status: scene.status)
                pacer.isSettled = scene.isSettled
            }
            if scene.isOver { return }
            if let limit, now >= limit { return }
            let next = pacer.nextFrame(after: now).map { max($0, now + pacer.interval / 8) } ?? now + pacer.interval
            try await clock.sleep(for: (limit.map { min($0, next) } ?? next) - now)
        }
    }
}
