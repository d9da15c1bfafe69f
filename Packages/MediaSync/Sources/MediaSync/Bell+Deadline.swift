package import TransportCore

extension Bell {
    /// Waits for a ring or for a time, whichever comes first; the cancelled task returns at once.
    ///
    /// - Parameters:
    ///   - deadline: The time on the stopwatch, or nil to wait for a ring alone.
    ///   - stopwatch: What the time is measured on.
    package func wait(until deadline: Duration?, on stopwatch: Stopwatch) async {
        guard let deadline else {
            _ = await wait()
            return
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = await self.wait() }
            group.addTask { try? await stopwatch.sleep(until: deadline) }
            await group.next()
            group.cancelAll()
        }
    }
}
