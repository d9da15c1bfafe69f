/// Something that hears a voice and says how loud it is: a microphone, a file, a pipe, the room.
///
/// For implementers:
///
/// - **The device is yours alone.** Open, configure and close it here and nowhere else. A session only calls
///   ``start()`` and ``stop()``: two owners of one audio device race. On an iPhone the backend would own
///   `AVAudioSession` and an `AVAudioEngine` tap, and answer interruptions through them.
/// - **Levels** are linear root mean squares in 0...1, measured over about 20 ms (the conversation copes with 1 ms
///   to 400 ms). Make them with ``AudioLevel/init(source:level:time:)``, which cleans what a broken driver reports.
/// - **Times** count from the moment ``start()`` was called and never decrease within one stream. Take them from an
///   injected clock, never from the wall clock.
/// - **Newest wins.** ``AudioLevelStream`` keeps the newest unread level of each owner: a slow reader skips levels, and
///   never makes the source wait or grow.
/// - **What ends capture:** ``stop()``; the end of the audio, after which the stream ends; a failure, after which the
///   stream throws what happened; the release of the source. Whatever the cause, the device is closed before the
///   stream ends.
/// - **One capture at a time.** A second ``start()`` while one runs throws `.alreadyStarted` and leaves the first alone.
///   After the end, or ``stop()``, a source may be started again.
/// - Calls may come from any task, and may overlap.
///
/// Conformers pass every `AudioLevelSourceLaw` of `PresenceConformance`.
public protocol AudioLevelSource: Sendable {
    /// Opens the device and begins measuring.
    ///
    /// A source that opens but has nothing to say yields nothing; how long to wait for a first level is the caller's
    /// decision.
    ///
    /// - Returns: The levels as they are measured, for one reader.
    /// - Throws: `.accessDenied` or `.deviceMissing` when trying again is useless until a person does something;
    ///   `.noChannels` and `.badFormat` when what it would hear cannot be measured; `.alreadyStarted`; `.readFailed`
    ///   when the device may work at the next attempt.
    func start() async throws(AudioLevelSourceError) -> AudioLevelStream

    /// Ends capture, closes the device and ends the stream; does nothing when nothing runs.
    ///
    /// When this returns the device is free, and no level is yielded any more.
    func stop() async
}
