import Testing
import TransportCore
import TransportHTTP

/// Messages that are nearly right, each of which has to be read in the same way however it arrives.
struct HTTPParserFuzzTests {
    static let rounds: UInt64 = 400

    /// Alters bytes in a few places, with a liking for those that have a meaning.
    static func mutated(_ bytes: [UInt8], with others: [[UInt8]], using random: inout SeededRandom) -> [UInt8] {
        let telling = Array("\r\n\t :;,0123456789abcdefxX-+/%\"\0\u{7F}".utf8)
        var bytes = bytes
        for _ in 0..<(1 + random.nextInt(below: 4)) {
            let place = random.nextInt(below: bytes.count + 1)
            switch random.nextInt(below: 6) {
            case 0: bytes.insert(telling[random.nextInt(below: telling.count)], at: place)
            case 1 where place < bytes.count: bytes.remove(at: place)
            case 2 where place < bytes.count: bytes[place] = UInt8(random.nextInt(below: 256))
            case 3 where place < bytes.count: bytes[place] = telling[random.nextInt(below: telling.count)]
            case 4:
                let end = min(bytes.count, place + random.nextInt(below: 30))
                bytes.insert(contentsOf: bytes[place..<end], at: place)
            default:
                let other = others[random.nextInt(below: others.count)]
                bytes = Array(bytes[..<place] + other[random.nextInt(below: other.count)...])
            }
        }
        return bytes
    }

    @Test func damagedRequestsAreReadTheSameInEverySplit() throws {
        let corpus = (HTTPRequestParserTests.good.map(\.wire) + HTTPRequestParserTests.bad.map(\.wire)).map {
            Array($0.utf8)
        }
        for seed in 0..<Self.rounds {
            var random = SeededRandom(seed: seed)
            let wire = Self.mutated(corpus[random.nextInt(below: corpus.count)], with: corpus, using: &random)
            let whole = HTTPTranscript(requests: [wire], ends: true)
            #expect(HTTPTranscript(requests: wire.map { [$0] }, ends: true) == whole, "seed \(seed)")
            let pieces = Splits.pieces(of: wire, largest: 20, using: &random)
            #expect(HTTPTranscript(requests: pieces, ends: true) == whole, "seed \(seed)")
        }
    }

    @Test func whatIsAcceptedCanBeWrittenAndReadAgain() throws {
        let corpus = HTTPRequestParserTests.good.map { Array($0.wire.utf8) }
        for seed in 0..<Self.rounds {
            var random = SeededRandom(seed: seed &+ 1_000_000)
            let wire = Self.mutated(corpus[random.nextInt(below: corpus.count)], with: corpus, using: &random)
            var parser = HTTPRequestParser()
            parser.push(wire)
            guard case .head(let head) = try? parser.next() else { continue }
            var second = HTTPRequestParser()
            second.push(try head.serialized())
            #expect(try second.next() == .head(head), "seed \(seed)")
        }
    }

    @Test func damagedAnswersAreReadTheSameInEverySplit() {
        let corpus = HTTPResponseParserTests.cases.map { Array($0.wire.utf8) }.filter { !$0.isEmpty }
        for seed in 0..<Self.rounds {
            var random = SeededRandom(seed: seed)
            let wire = Self.mutated(corpus[random.nextInt(below: corpus.count)], with: corpus, using: &random)
            let methods = ["GET", "HEAD", "GET"]
            let whole = HTTPTranscript(responsesTo: methods, [wire], ends: true)
            #expect(HTTPTranscript(responsesTo: methods, wire.map { [$0] }, ends: true) == whole, "seed \(seed)")
            let pieces = Splits.pieces(of: wire, largest: 20, using: &random)
            #expect(HTTPTranscript(responsesTo: methods, pieces, ends: true) == whole, "seed \(seed)")
        }
    }

    @Test func rangesAndTagsSurviveAnything() {
        let corpus = (RangeRequestTests.cases.map(\.range) + ["bytes 0-1/10", "W/\"a\", \"b\""]).map { Array($0.utf8) }
            .filter { !$0.isEmpty }
        for seed in 0..<(Self.rounds * 4) {
            var random = SeededRandom(seed: seed)
            let bytes = Self.mutated(corpus[random.nextInt(below: corpus.count)], with: corpus, using: &random)
            let text = String(decoding: bytes, as: UTF8.self)
            let length = random.nextInt(below: 3) * 5_000
            if case .part(let range) = RangeRequest(text)?.answer(length: length) {
                #expect(range.first >= 0 && range.last < length && range.count > 0, "seed \(seed)")
                #expect(ContentRange(range, total: length) != nil, "seed \(seed)")
            }
            if let range = ContentRange(text) { #expect(ContentRange(range.description) == range, "seed \(seed)") }
            _ = EntityTag(value: "b")?.isNamed(by: text)
        }
    }
}
