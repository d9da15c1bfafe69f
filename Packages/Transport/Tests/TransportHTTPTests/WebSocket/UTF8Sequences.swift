/// The texts of sections 6.5 to 6.23 of the Autobahn test suite, which are those of Markus Kuhn's `UTF-8-test.txt`.
struct UTF8Sequences: Sendable {
    let id: String
    let isValid: Bool
    let bytes: [UInt8]

    /// The number of the first case of a line, whether its texts are valid, and the texts in hexadecimal digits.
    private static let table = """
        6.5.1 valid 68656c6c6f24776f726c64 68656c6c6fc2a2776f726c64 68656c6c6fe282ac776f726c64
        6.5.4 valid 68656c6c6ff0a4ada2776f726c64 cebae1bdb9cf83cebcceb5
        6.6.1 invalid ce
        6.6.2 valid ceba
        6.6.3 invalid cebae1
        6.6.4 invalid cebae1bd
        6.6.5 valid cebae1bdb9
        6.6.6 invalid cebae1bdb9cf
        6.6.7 valid cebae1bdb9cf83
        6.6.8 invalid cebae1bdb9cf83ce
        6.6.9 valid cebae1bdb9cf83cebc
        6.6.10 invalid cebae1bdb9cf83cebcce
        6.6.11 valid cebae1bdb9cf83cebcceb5
        6.7.1 valid 00 c280 e0a080 f0908080
        6.8.1 invalid f888808080 fc8480808080
        6.9.1 valid 7f dfbf efbfbf f48fbfbf
        6.10.1 invalid f7bfbfbf fbbfbfbfbf fdbfbfbfbfbf
        6.11.1 valid ed9fbf ee8080 efbfbd f48fbfbf
        6.11.5 invalid f4908080
        6.12.1 invalid 80 bf 80bf 80bf80 80bf80bf 80bf80bf80 80bf80bf80bf
        6.12.8 invalid 808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbe
        6.13.1 invalid c020c120c220c320c420c520c620c720c820c920ca20cb20cc20cd20ce20cf20d020d120d220d320d420d520d620d720d820d920da20db20dc20dd20de20
        6.13.2 invalid e020e120e220e320e420e520e620e720e820e920ea20eb20ec20ed20ee20
        6.13.3 invalid f020f120f220f320f420f520f620 f820f920fa20 fc20
        6.14.1 invalid c0 e080 f08080 f8808080 fc80808080 df efbf f7bfbf fbbfbfbf fdbfbfbfbf
        6.15.1 invalid c0e080f08080f8808080fc80808080dfefbff7bfbffbbfbfbffdbfbfbfbf
        6.16.1 invalid fe ff fefeffff
        6.17.1 invalid c0af e080af f08080af f8808080af fc80808080af
        6.18.1 invalid c1bf e09fbf f08fbfbf f887bfbfbf fc83bfbfbfbf
        6.19.1 invalid c080 e08080 f0808080 f880808080 fc8080808080
        6.20.1 invalid eda080 edadbf edae80 edafbf edb080 edbe80 edbfbf
        6.21.1 invalid eda080edb080 eda080edbfbf edadbfedb080 edadbfedbfbf edae80edb080 edae80edbfbf
        6.21.7 invalid edafbfedb080 edafbfedbfbf
        6.22.1 valid efbfbe efbfbf f09fbfbe f09fbfbf f0afbfbe f0afbfbf f0bfbfbe f0bfbfbf f18fbfbe f18fbfbf
        6.22.11 valid f19fbfbe f19fbfbf f1afbfbe f1afbfbf f1bfbfbe f1bfbfbf f28fbfbe f28fbfbf f29fbfbe
        6.22.20 valid f29fbfbf f2afbfbe f2afbfbf f2bfbfbe f2bfbfbf f38fbfbe f38fbfbf f39fbfbe f39fbfbf
        6.22.29 valid f3afbfbe f3afbfbf f3bfbfbe f3bfbfbf f48fbfbe f48fbfbf
        6.23.1 valid efbfb9 efbfba efbfbb efbfbc efbfbd efbfbe efbfbf
        """

    static let all: [UTF8Sequences] = makeAll()

    private static func makeAll() -> [UTF8Sequences] {
        var sequences: [UTF8Sequences] = []
        for line in table.split(separator: "\n") {
            let words = line.split(separator: " ")
            let number = words[0].split(separator: ".").compactMap { Int($0) }
            for (offset, digits) in words.dropFirst(2).enumerated() {
                let id = "6.\(number[1]).\(number[2] + offset)"
                sequences.append(UTF8Sequences(id: id, isValid: words[1] == "valid", bytes: bytes(digits)))
            }
        }
        return sequences
    }

    private static func bytes(_ digits: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = digits
        while rest.count >= 2 {
            bytes.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
