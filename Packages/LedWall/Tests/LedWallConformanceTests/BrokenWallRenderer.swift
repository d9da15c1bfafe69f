import LedWall
import LedWallConformance
import Synchronization

/// A renderer of text that breaks one promise on purpose.
final class BrokenWallRenderer: WallRenderer {
    enum Fault: String, CaseIterable {
        case drawsNothing, drawsOnlyOnce, takesEarlierPictures, putsOutRefusedPictures, refusesEqualTimes
        case differsEachTime, drawsAfterFinish, putsOutAfterFinish, finishesTwice, cannotFinishEmpty
        case knowsOnlyTwentyOneDots, chokesOnExtremes, passesWordsThrough, takesEndlessWords, hidesBrokenOutput
        case givesNoReason, staysBroken, failsWhenHurried

        var laws: [WallRendererLaw] {
            switch self {
            case .drawsNothing, .drawsOnlyOnce: [.drawsWhatChanged]
            case .takesEarlierPictures, .putsOutRefusedPictures: [.refusesEarlierPictures]
            case .refusesEqualTimes: [.takesEqualTimes]
            case .differsEachTime: [.samePicturesGiveSameOutput]
            case .drawsAfterFinish, .putsOutAfterFinish: [.drawsNothingAfterFinish]
            case .finishesTwice: [.finishesOnce]
            case .cannotFinishEmpty: [.finishesWithoutPictures]
            case .knowsOnlyTwentyOneDots: [.takesAnyGrid]
            case .chokesOnExtremes: [.takesExtremePictures]
            case .passesWordsThrough, .takesEndlessWords: [.makesWordsHarmless]
            case .hidesBrokenOutput, .givesNoReason, .staysBroken: [.reportsBrokenOutput]
            case .failsWhenHurried: [.takesConcurrentCalls]
            }
        }
    }

    private struct State {
        var output: [UInt8] = []
        var time: Double?
        var draws = 0
        var isFinished = false
        var isBroken = false
        var wasBroken = false
    }

    private static let made = Atomic(0)

    private let fault: Fault?
    private let number = BrokenWallRenderer.made.add(1, ordering: .relaxed).newValue
    private let state = Mutex(State())

    init(_ fault: Fault?) { self.fault = fault }

    static func subject(_ fault: Fault?) -> WallRendererSubject {
        let renderer = BrokenWallRenderer(fault)
        return WallRendererSubject(
            renderer: renderer,
            output: { renderer.state.withLock { $0.output } },
            breakOutput: { isBroken in
                renderer.state.withLock {
                    $0.isBroken = isBroken
                    $0.wasBroken = $0.wasBroken || isBroken
                }
            }
        )
    }

    func draw(_ picture: WallPicture, status: String) throws(WallRendererError) {
        try state.withLock { state throws(WallRendererError) in
            if state.isFinished {
                if fault == .putsOutAfterFinish { state.output += [1] }
                if fault != .drawsAfterFinish { throw .finished }
            }
            let seconds = picture.input.seconds
            if let time = state.time {
                if seconds < time, fault != .takesEarlierPictures {
                    if fault == .putsOutRefusedPictures { state.output += [1] }
                    throw .timeWentBack(from: time, to: seconds)
                }
                if seconds == time, fault == .refusesEqualTimes { throw .timeWentBack(from: time, to: seconds) }
            }
            state.time = seconds
            if state.isBroken, fault != .hidesBrokenOutput {
                throw .output(fault == .givesNoReason ? "" : "the disk is full")
            }
            if fault == .staysBroken, state.wasBroken { return }
            if fault == .failsWhenHurried, seconds == 7 { throw .output("too fast") }
            if fault == .knowsOnlyTwentyOneDots, picture.frame.side != 21 { throw .output("another grid") }
            if fault == .chokesOnExtremes, !picture.glowRadius.isFinite { throw .output("no number") }
            state.draws += 1
            if fault == .drawsNothing || fault == .drawsOnlyOnce && state.draws > 1 { return }
            state.output += Array("\(picture.input.state) \(seconds)".utf8)
            if fault == .differsEachTime { state.output += Array("\(number)".utf8) }
            if fault == .passesWordsThrough { state.output += Array(status.utf8) }
            if fault == .takesEndlessWords {
                for _ in 0..<20 { state.output += Array(status.utf8.filter { $0 >= 0x20 }) }
            }
        }
    }

    func finish() throws(WallRendererError) {
        try state.withLock { state throws(WallRendererError) in
            if fault == .cannotFinishEmpty, state.draws == 0 { throw .output("no pictures") }
            if fault == .finishesTwice || !state.isFinished { state.output += Array("end".utf8) }
            state.isFinished = true
        }
    }
}
