import Testing
import TransportCore
import TransportTLS

@Suite struct CertificateFingerprintsTests {
    // Made and measured with the openssl program: x509 -fingerprint -sha256, and pkey -pubin -outform DER | sha256sum.
    private let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBnjCCAUSgAwIBAgIUH4BiTsRCUF8vlQqEz8CPlw0DtPwwCgYIKoZIzj0EAwIw
        FzEVMBMGA1UEAwwMZml4dHVyZS50ZXN0MCAXDTI2MTEzMDAxMjAzMloYDzIxMjYx
        MTA2MDEyMDMyWjAXMRUwEwYDVQQDDAxmaXh0dXJlLnRlc3QwWTATBgcqhkjOPQIB
        BggqhkjOPQMBBwNCAARYlQ0q4JrM5oSL3H0bSVog/xpM33I0cFIWd0cxkCQpjcBi
        1EYLidHQZlaqQ7Iu1c02Rp/7ij7Y5XwqcSTyzShio2wwajAdBgNVHQ4EFgQUELuL
        EA+K2w9TqhYStoln/uO65yEwHwYDVR0jBBgwFoAUELuLEA+K2w9TqhYStoln/uO6
        5yEwDwYDVR0TAQH/BAUwAwEB/zAXBgNVHREEEDAOggxmaXh0dXJlLnRlc3QwCgYI
        KoZIzj0EAwIDSAAwRQIgcoDdsHaL6Uff/HIaAlrlDBvX3y0D8/4wkcu3bV2M5VQC
        IQCiWGFODZ+BXinkxD77fPuPEPfiTnri5TUk/jaUjaK0hA==
        -----END CERTIFICATE-----
        """
    private let leaf = "a51089e475127dbb4dbd648db2846da6b2afd22cabdd7d3d5f17ed816d67ee94"
    private let publicKey = "741677071dd3394c64d42f89e6a45a8fa53b48612776cd9c9009ee588fe15b82"

    @Test("Fingerprints are those that the openssl program computes")
    func fingerprints() throws {
        let found = try CertificateFingerprints(certificate: Array(certificate.utf8))
        #expect(found.leaf == leaf)
        #expect(found.publicKey == publicKey)
    }

    @Test(
        "What is not a certificate is an error",
        arguments: ["", "hello", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END"]
    )
    func notOne(_ text: String) {
        #expect(throws: TransportError.self) { try CertificateFingerprints(certificate: Array(text.utf8)) }
    }

    @Test(
        "A pin is read in every form that tools write",
        arguments: [
            ("a51089e475127dbb4dbd648db2846da6b2afd22cabdd7d3d5f17ed816d67ee94", CertificatePin.Subject.either),
            (
                "sha256 Fingerprint=A5:10:89:E4:75:12:7D:BB:4D:BD:64:8D:B2:84:6D:A6:B2:AF:D2:2C:AB:DD:7D:3D:5F:17:ED:81:6D:67:EE:94",
                .either
            ),
            (" LEAF: A51089E475127DBB4DBD648DB2846DA6B2AFD22CABDD7D3D5F17ED816D67EE94 ", .leaf),
            ("spki:741677071dd3394c64d42f89e6a45a8fa53b48612776cd9c9009ee588fe15b82", .publicKey),
            ("sha256//dBZ3Bx3TOUxk1C+J5qRaj6U7SGEnds2ckAnuWI/hW4I=", .publicKey),
            ("sha256/dBZ3Bx3TOUxk1C+J5qRaj6U7SGEnds2ckAnuWI/hW4I=", .publicKey),
        ]
    )
    func pinForms(_ text: String, _ subject: CertificatePin.Subject) throws {
        let pin = try CertificatePin(text)
        #expect(pin.subject == subject)
        #expect(pin.matches(try CertificateFingerprints(certificate: Array(certificate.utf8))))
        #expect(try CertificatePin(pin.description) == pin)
    }

    @Test(
        "What cannot be a pin is refused",
        arguments: [
            "", "abc", "zz", String(repeating: "g", count: 64), String(repeating: "a", count: 63), "sha256/",
            "sha256//AAAA", "sha256/" + String(repeating: "=", count: 44), String(repeating: "a", count: 40),
            "leaf:" + String(repeating: "é", count: 64),
        ]
    )
    func notPins(_ text: String) {
        #expect(throws: TransportError.self) { try CertificatePin(text) }
    }
}

@Suite struct TLSIdentityTests {
    private let now = 1_800_000_000.0

    @Test("Printing an identity shows no key")
    func secrecy() throws {
        let identity = try TLSIdentity.selfSigned(issuedAt: now)
        var dumped = ""
        dump(identity, to: &dumped)
        #expect(!"\(identity) \(String(reflecting: identity)) \(dumped)".contains("PRIVATE"))
        #expect(!String(decoding: identity.certificates, as: UTF8.self).contains("PRIVATE"))
    }

    @Test("A certificate holds from an hour before it is made until its days are over")
    func validity() throws {
        let identity = try TLSIdentity.selfSigned(issuedAt: now, days: 10)
        #expect(!identity.isValid(at: now - 3700))
        #expect(identity.isValid(at: now))
        #expect(identity.isValid(at: now + 10 * 86_400 - 5))
        #expect(!identity.isValid(at: now + 10 * 86_400 + 5))
        #expect(!identity.isValid(at: .nan))
    }

    @Test(
        "Names that are more than names are refused",
        arguments: [[], [""], ["a,DNS:b"], ["a\nb"], ["@section"], ["é"]] as [[String]]
    )
    func names(_ names: [String]) {
        #expect(throws: TransportError.self) { try TLSIdentity.selfSigned(names: names, issuedAt: now) }
    }

    @Test("A key that is another certificate's is refused")
    func wrongKey() throws {
        #expect(throws: TransportError.self) {
            let mine = try TLSIdentity.selfSigned(issuedAt: now)
            _ = try TLSIdentity(certificates: mine.certificates, privateKey: mine.certificates)
        }
    }
}
