import Foundation
import PresenceAudio
import Testing

/// Against values that LiveKit's own server computed.
@Suite struct ActiveSpeakerMeterTests {
    private struct Vectors: Decodable {
        struct Case: Decodable {
            struct Step: Decodable {
                let dbov: UInt8
                let ms: Int
                let time: Int
                let smoothed: Double
                let active: Bool

                enum CodingKeys: String, CodingKey {
                    case dbov, ms, smoothed, active
                    case time = "at_ms"
                }
            }

            struct Stale: Decodable, Equatable {
                let level: Double
                let active: Bool

                init(from decoder: any Decoder) throws {
                    var values = try decoder.unkeyedContainer()
                    level = try values.decode(Double.self)
                    active = try values.decode(Bool.self)
                }
            }

            let name: String
            let stale799: Stale
            let stale800: Stale
            let steps: [Step]
        }

        let cases: [Case]
    }

    private func vectors() throws -> [Vectors.Case] {
        let url = try #require(
            Bundle.module.url(
                forResource: "livekit_audiolevel_vectors",
                withExtension: "json",
                subdirectory: "Fixtures"
            )
        )
        return try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: url)).cases
    }

    @Test func agreesWithTheServerAtEveryStep() throws {
        let cases = try vectors()
        #expect(cases.count == 7)
        var steps = 0
        for vector in cases {
            var meter = ActiveSpeakerMeter()
            for step in vector.steps {
                let time = Duration.milliseconds(step.time)
                meter.observe(level: step.dbov, duration: .milliseconds(step.ms), at: time)
                let reading = meter.reading(at: time)
                #expect(abs(reading.level - step.smoothed) < 1e-12, "\(vector.name) at \(step.time) ms")
                #expect(reading.isSpeaking == step.active, "\(vector.name) at \(step.time) ms")
                steps += 1
            }
        }
        #expect(steps == 600)
    }

    @Test func isSilentAfterEightHundredMilliseconds() throws {
        for vector in try vectors() {
            var meter = ActiveSpeakerMeter()
            for step in vector.steps {
                meter.observe(level: step.dbov, duration: .milliseconds(step.ms), at: .milliseconds(step.time))
            }
            let last = Duration.milliseconds(vector.steps.last?.time ?? 0)
            for (age, expected) in [(799, vector.stale799), (800, vector.stale800)] {
                let reading = meter.reading(at: last + .milliseconds(age))
                #expect(abs(reading.level - expected.level) < 1e-12, "\(vector.name) after \(age) ms")
                #expect(reading.isSpeaking == expected.active, "\(vector.name) after \(age) ms")
            }
        }
    }

    @Test(arguments: [
        (UInt8(0), 0.75), (20, 0.125), (12, 0.25), (31, 0.125), (32, 0), (36, 0),
    ])
    func sendsEighthsRoundedUp(level: UInt8, sent: Double) {
        var meter = ActiveSpeakerMeter()
        for packet in 1...20 {
            meter.observe(level: level, duration: .milliseconds(20), at: .milliseconds(20 * packet))
        }
        #expect(meter.reading(at: .milliseconds(400)).sentLevel == sent)
    }

    @Test func oddPacketsDoNoHarm() {
        var meter = ActiveSpeakerMeter()
        meter.observe(level: 255, duration: .seconds(-5), at: .seconds(3))
        meter.observe(level: 0, duration: .seconds(1_000), at: .zero)
        let reading = meter.reading(at: .seconds(3))
        #expect((0...1).contains(reading.level))
    }
}
