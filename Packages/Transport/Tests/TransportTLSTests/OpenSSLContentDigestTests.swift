import Testing
import TransportCore
import TransportTLS

@Suite struct OpenSSLContentDigestTests {
    @Test(
        "SHA-256 of NIST's examples",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ]
    )
    func examples(_ text: String, _ expected: String) {
        #expect(OpenSSLContentDigest().sha256Hex(Array(text.utf8)) == expected)
    }

    @Test("Any pieces give the same as the plain computation, and a copy goes its own way", arguments: 0..<20)
    func pieces(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        var hasher = OpenSSLContentDigest().makeHasher()
        var all: [UInt8] = []
        for _ in 0..<20 {
            let piece = (0..<random.nextInt(below: 300)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            hasher.update(piece)
            all += piece
        }
        var copy = hasher
        copy.update([1])
        #expect(hasher.finalize() == SoftwareContentDigest().sha256(all))
        #expect(copy.finalize() == SoftwareContentDigest().sha256(all + [1]))
    }
}

@Suite struct HMACSHA256Tests {
    @Test(
        "Authentication codes of RFC 4231",
        arguments: [
            (
                [UInt8](repeating: 0x0b, count: 20), "Hi There",
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), "what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xaa, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
            ([], "", "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
        ]
    )
    func vectors(_ key: [UInt8], _ message: String, _ expected: String) {
        let code = HMACSHA256.authenticationCode(for: Array(message.utf8), key: key)
        #expect(code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == expected)
        #expect(HMACSHA256.isValid(code, for: Array(message.utf8), key: key))
        #expect(!HMACSHA256.isValid(Array(code.dropLast()), for: Array(message.utf8), key: key))
        #expect(!HMACSHA256.isValid([], for: Array(message.utf8), key: key))
        #expect(!HMACSHA256.isValid(code, for: Array((message + " ").utf8), key: key))
    }
}
