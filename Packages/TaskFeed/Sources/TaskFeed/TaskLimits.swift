/// How much a store keeps.
public struct TaskLimits: Hashable, Sendable {
    /// Tasks kept; beyond it the task that finished first goes, active ones and the one that just ended never.
    public let tasks: Int
    /// Steps kept of each task; beyond it the oldest goes.
    public let stepsPerTask: Int
    /// UTF-8 bytes kept of each text: the first half and the last half of it, with a mark between.
    public let bytesPerText: Int

    /// Sets the bounds; values below 1 task, 1 step and 64 bytes are raised to those.
    public init(tasks: Int = 500, stepsPerTask: Int = 2_000, bytesPerText: Int = 262_144) {
        self.tasks = max(1, tasks)
        self.stepsPerTask = max(1, stepsPerTask)
        self.bytesPerText = max(64, bytesPerText)
    }
}
