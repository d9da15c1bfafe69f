import LedWall
public import Testing

/// The promises of a `WallRenderer`, one case each.
///
///     @Test(arguments: WallRendererLaw.allCases)
///     func obeys(_ law: WallRendererLaw) async {
///         await law.check { … a new WallRendererSubject … }
///     }
public enum WallRendererLaw: String, CaseIterable, Hashable, Sendable {
    /// A picture of another state changes the output.
    case drawsWhatChanged
    /// A picture from before the last one is refused, and nothing is put out for it.
    case refusesEarlierPictures
    /// Two pictures of the same time are both taken.
    case takesEqualTimes
    /// The same pictures give the same output.
    case samePicturesGiveSameOutput
    /// After the end `draw` throws `finished`, and nothing is put out.
    case drawsNothingAfterFinish
    /// From the second time on `finish()` does nothing.
    case finishesOnce
    /// `finish()` before the first picture is no error.
    case finishesWithoutPictures
    /// The grid may change from one picture to the next.
    case takesAnyGrid
    /// Extreme opacities, sizes and glows are drawn without an error.
    case takesExtremePictures
    /// Words of any kind come out harmless: no control characters of theirs reach the output.
    case makesWordsHarmless
    /// A broken output is reported, and the renderer draws again when it works.
    case reportsBrokenOutput
    /// Calls from several tasks each succeed or are refused for their time.
    case takesConcurrentCalls

    /// Checks the promise and records an issue for each way in which it is broken.
    ///
    /// - Parameters:
    ///   - sourceLocation: Where issues are reported.
    ///   - makeSubject: Makes a new renderer, each time in the same way.
    public func check(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ makeSubject: @Sendable () throws -> WallRendererSubject
    ) async {
        do {
            for violation in try await violations(of: makeSubject) {
                Issue.record("\(rawValue): \(violation)", sourceLocation: sourceLocation)
            }
        } catch {
            Issue.record("\(rawValue): the renderer could not be made: \(error)", sourceLocation: sourceLocation)
        }
    }

    /// Finds the ways in which a renderer breaks the promise.
    ///
    /// - Parameter makeSubject: Makes a new renderer, each time in the same way.
    /// - Returns: A sentence for each way; empty if the promise is kept.
    /// - Throws: What `makeSubject` throws.
    public func violations(of makeSubject: @Sendable () throws -> WallRendererSubject) async throws -> [String] {
        var trial = WallRendererTrial(try makeSubject())
        switch self {
        case .drawsWhatChanged:
            trial.draw(.speaking, at: 0)
            let first = trial.output.count
            if first == 0 { trial.note("the first picture put out nothing") }
            trial.draw(.thinking, at: 1)
            if trial.output.count == first { trial.note("a picture of another state put out nothing") }
        case .refusesEarlierPictures:
            trial.draw(.speaking, at: 2)
            let before = trial.output
            trial.expect(.timeWentBack(from: 2, to: 1), from: trial.result(.thinking, at: 1), of: "an earlier picture")
            if trial.output != before { trial.note("the refused picture put something out") }
            trial.draw(.speaking, at: 3)
        case .takesEqualTimes:
            trial.draw(.speaking, at: 1)
            trial.draw(.thinking, at: 1)
        case .samePicturesGiveSameOutput:
            var other = WallRendererTrial(try makeSubject())
            trial.drawClip()
            other.drawClip()
            if trial.output != other.output {
                trial.note("two renderers put out different bytes for the same pictures")
            }
        case .drawsNothingAfterFinish:
            trial.draw(.speaking, at: 0)
            trial.finish()
            let before = trial.output
            trial.expect(.finished, from: trial.result(.thinking, at: 1), of: "a picture after the end")
            if trial.output != before { trial.note("a picture after the end put something out") }
        case .finishesOnce:
            trial.draw(.speaking, at: 0)
            trial.finish()
            let before = trial.output
            trial.finish()
            if trial.output != before { trial.note("finishing again put something out") }
        case .finishesWithoutPictures:
            trial.finish()
            trial.expect(.finished, from: trial.result(.idle, at: 0), of: "a picture after the end")
        case .takesAnyGrid:
            for (second, side) in [21, 17, 1, 2, 40, 21].enumerated() {
                trial.draw(.speaking, at: Double(second), side: side)
            }
        case .takesExtremePictures:
            trial.drawExtremes()
        case .makesWordsHarmless:
            trial.drawWords()
        case .reportsBrokenOutput:
            trial.drawBroken()
        case .takesConcurrentCalls:
            await trial.drawConcurrently()
        }
        return trial.violations
    }
}
