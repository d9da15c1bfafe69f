import LedWall
import LedWallConformance
import Testing

struct WallRendererLawTests {
    @Test(arguments: WallRendererLaw.allCases)
    func theRecorderObeys(_ law: WallRendererLaw) async {
        await law.check {
            let renderer = RecordingWallRenderer()
            return WallRendererSubject(
                renderer: renderer,
                output: { renderer.entries.flatMap { Array("\($0.picture.input)\n".utf8) } },
                breakOutput: { renderer.failDraws(because: $0 ? "the disk is full" : nil) }
            )
        }
    }

    @Test(arguments: BrokenWallRenderer.Fault.allCases)
    func eachBrokenPromiseIsFound(_ fault: BrokenWallRenderer.Fault) async throws {
        for law in fault.laws {
            let violations = try await law.violations { BrokenWallRenderer.subject(fault) }
            #expect(!violations.isEmpty, "\(law) does not notice \(fault)")
        }
    }

    @Test func everyLawIsBrokenByOneOfTheFaults() {
        #expect(Set(BrokenWallRenderer.Fault.allCases.flatMap(\.laws)) == Set(WallRendererLaw.allCases))
    }

    @Test(arguments: WallRendererLaw.allCases)
    func aSoundRendererBreaksNone(_ law: WallRendererLaw) async throws {
        let violations = try await law.violations { BrokenWallRenderer.subject(nil) }
        #expect(violations == [])
    }

    @Test func violationsBecomeIssues() async {
        await withKnownIssue {
            await WallRendererLaw.finishesOnce.check { BrokenWallRenderer.subject(.finishesTwice) }
        }
    }
}
