import TransportCore
import TransportHTTP

/// The entry point of libFuzzer: the first byte chooses a parser, the second where the rest is cut in two.
///
/// A parser may refuse anything, but it has to do so in the same way in one piece and in two, and what it accepts has to
/// be fit for being written again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let start, count > 2 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let input = Array(bytes[2...])
    let cut = Int(bytes[1]) * input.count / 256
    let pieces = [Array(input[..<cut]), Array(input[cut...])]
    switch bytes[0] % 6 {
    case 0: expect(requests([input]) == requests(pieces))
    case 1: expect(responses([input]) == responses(pieces))
    case 2: expect(messages(.server, [input]) == messages(.server, pieces))
    case 3: expect(messages(.client { 0x0102_0304 }, [input]) == messages(.client { 0x0102_0304 }, pieces))
    case 4: checkValues(String(decoding: input, as: UTF8.self))
    default: checkJSON(input)
    }
    return 0
}

private func checkValues(_ text: String) {
    if case .part(let range) = RangeRequest(text)?.answer(length: 100) {
        expect(range.first >= 0 && range.last < 100 && range.count > 0)
    }
    if let range = ContentRange(text) { expect(ContentRange(range.description) == range) }
    if let tag = EntityTag(text) { expect(EntityTag(tag.description) == tag) }
    if let authority = HTTPAuthority(text) { expect(HTTPAuthority(authority.description) == authority) }
    _ = EntityTag(value: "a")?.isNamed(by: text)
    if let target = try? HTTPTarget(text, method: "GET") {
        expect(target.segments?.contains("..") != true)
        _ = target.queryValue("a")
    }
    _ = try? RoomTokenCodec.claims(unverified: text)
}

private func checkJSON(_ bytes: [UInt8]) {
    if let request = try? TokenEndpointRequest(body: bytes) {
        expect((try? TokenEndpointRequest(body: request.body)) == request)
    }
    _ = try? TokenEndpointAnswer.token(from: bytes)
}
