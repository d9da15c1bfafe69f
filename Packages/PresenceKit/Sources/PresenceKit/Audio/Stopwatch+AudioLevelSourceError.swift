package import TransportCore

extension Stopwatch {
    /// Waits until the given time has come, or returns at once when it has passed.
    package func wait(until time: Duration) async throws(AudioLevelSourceError) {
        do {
            try await sleep(until: time)
        } catch {
            throw AudioLevelSourceError(.cancelled, thing: "The audio", reason: "is not wanted any more")
        }
    }
}
