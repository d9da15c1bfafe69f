import Foundation
import MediaPlayerConformance
import MediaSync
import Testing
import TransportCore

struct MediaPlayerLawTests {
    @Test("The virtual player keeps every promise", arguments: MediaPlayerLaw.allCases)
    func virtualPlayer(_ law: MediaPlayerLaw) async {
        await law.check(VirtualMediaPlayerFactory())
    }

    @Test("A player that cheats is found out", arguments: PlayerDefect.allCases)
    func cheating(_ defect: PlayerDefect) async {
        let factory = VirtualMediaPlayerFactory { player, stopwatch in
            DefectivePlayer(player, defect: defect, stopwatch: stopwatch)
        }
        let violation = await defect.law.violation(in: factory)
        #expect(violation != nil)
        #expect(violation?.contains("ended in an error") != true, "\(violation ?? "")")
    }

    @Test("Each law has a player that breaks it", arguments: MediaPlayerLaw.allCases)
    func everyLawIsProved(_ law: MediaPlayerLaw) {
        #expect(PlayerDefect.allCases.contains { $0.law == law })
    }

    @Test("A player around another that adds nothing passes, so it is the defects that are found")
    func honest() async {
        for law in MediaPlayerLaw.allCases {
            await law.check(
                VirtualMediaPlayerFactory { DefectivePlayer($0, defect: nil, stopwatch: $1) }
            )
        }
    }

    @Test("A law that needs what a factory cannot bring about does not apply")
    func lawsThatDoNotApply() async {
        struct PlainFactory: MediaPlayerFactory {
            let base = VirtualMediaPlayerFactory()
            var stopwatch: Stopwatch { base.stopwatch }
            var abilities: Set<MediaPlayerAbility> { [] }
            var songLength: Double { base.songLength }
            func makePlayer() async throws -> any MediaPlayer { try await base.makePlayer() }
            func source(of sample: MediaSample) async throws -> URL { try await base.source(of: sample) }
            func volume(of player: any MediaPlayer) async throws -> Double { 0 }
            func end(_ player: any MediaPlayer) async throws {}
        }
        let needy = MediaPlayerLaw.allCases.filter { !$0.applies(to: PlainFactory()) }
        #expect(needy == [.volumeIsClampedAndOutlivesLoads, .starvedPlayerBuffers, .goneForGoodSaysSo])
        for law in needy { #expect(await law.violation(in: PlainFactory()) == nil) }
    }
}
