public import PresenceKit
public import Testing
public import TransportCore

/// The promises of ``AudioLevelSource``, one case each, to be run by every backend.
///
/// ```swift
/// @Test(arguments: AudioLevelSourceLaw.allCases)
/// func obeys(_ law: AudioLevelSourceLaw) async throws {
///     try await law.check { clock in MyAudioLevelSource(clock: clock) }
/// }
/// ```
///
/// The factory is asked for a new source at each check. What it returns must start without an error and have at least
/// three seconds of audio, with a level at least every 400 ms. The checks run in virtual time on the clock that the
/// factory is given; a source whose device keeps a time of its own is checked with ``checkInRealTime(sourceLocation:_:)``.
public enum AudioLevelSourceLaw: String, CaseIterable, Sendable {
    /// A started source yields levels.
    case yieldsLevels
    /// Times count from the start, never decrease, and are never ahead of the clock.
    case timesFollowTheClock
    /// A second start throws `.alreadyStarted`, and the first capture goes on.
    case secondStartIsRefused
    /// Stopping ends the stream.
    case stopEndsTheStream
    /// Nothing measured after a stop is yielded.
    case stopIsSilent
    /// Stopping before a start, twice, or from two tasks does no harm.
    case stopIsIdempotent
    /// A stopped source can be started again, and its times count anew.
    case startsAgain
    /// Who has not read for a while gets the newest level, not a backlog.
    case newestWins
    /// A source that nobody holds any more ends its stream.
    case releaseEndsTheStream

    /// Checks the promise in virtual time.
    ///
    /// - Parameters:
    ///   - sourceLocation: Where a broken promise is reported.
    ///   - makeSource: Makes a new source that takes its time from the given clock.
    /// - Throws: What the factory throws.
    public func check(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ makeSource: @escaping @Sendable (ManualClock) async throws -> any AudioLevelSource
    ) async throws {
        let broken = try await violations(makeSource)
        #expect(broken.isEmpty, "\(rawValue): \(broken.joined(separator: "; "))", sourceLocation: sourceLocation)
    }

    /// Checks the promise of a source whose device keeps a time of its own; takes up to a few seconds.
    ///
    /// - Parameters:
    ///   - sourceLocation: Where a broken promise is reported.
    ///   - makeSource: Makes a new source that takes its time from the given clock.
    /// - Throws: What the factory throws.
    public func checkInRealTime(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ makeSource: @escaping @Sendable (ContinuousClock) async throws -> any AudioLevelSource
    ) async throws {
        let clock = ContinuousClock()
        let broken = try await AudioLevelSourceProbe(clock: clock) { try await makeSource(clock) }.violations(of: self)
        #expect(broken.isEmpty, "\(rawValue): \(broken.joined(separator: "; "))", sourceLocation: sourceLocation)
    }

    /// What a source does against the promise, as sentences; empty when it keeps it.
    ///
    /// - Parameter makeSource: Makes a new source that takes its time from the given clock.
    /// - Returns: The sentences.
    /// - Throws: What the factory throws.
    public func violations(
        _ makeSource: @escaping @Sendable (ManualClock) async throws -> any AudioLevelSource
    ) async throws -> [String] {
        let clock = ManualClock()
        return try await clock.run(until: .seconds(600)) {
            try await AudioLevelSourceProbe(clock: clock) { try await makeSource(clock) }.violations(of: self)
        }
    }
}
