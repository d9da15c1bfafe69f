import TransportCore

/// Looks for secrets in what is about to be published, and says where they are, never what they are.
///
/// Known secrets are found in every file, file name and database value, in plain text, in base64 at any alignment, and
/// percent-encoded. In texts of the database, `project.json` and file names it also looks for what looks like
/// credentials: `password=`, `token=`, `api_key=`, `authcfg=` with something behind them, `Bearer` with a token, and
/// addresses with a user and a password.
struct SecretScan: Sendable {
    /// Known secrets of fewer bytes occur by chance in large files and are not looked for.
    static let shortestSecret = 5
    private static let chunkBytes = 1 << 18
    private static let mostFindings = 20
    private static let assignments = ["password=", "token=", "api_key=", "apikey=", "api-key=", "authcfg="]
    private static let memberNames = [
        "password", "passwd", "api_key", "apikey", "token", "access_token", "accesstoken", "authcfg", "secret",
    ]

    private let known: BytePatterns
    /// The name of the secret that each known pattern is a form of.
    private let names: [String]
    private let credentials: BytePatterns
    /// On its own: so short a pattern would slow the search for the others.
    private let addresses: BytePatterns

    /// Makes the search for the secrets of a store.
    init(_ store: any SecretStore) throws(SecretStoreError) {
        var patterns: [[UInt8]] = []
        var names: [String] = []
        for name in try store.names() {
            guard let secret = try store.secret(named: name), secret.utf8.count >= Self.shortestSecret else { continue }
            for form in Self.forms(of: Array(secret.utf8)) where !patterns.contains(form) {
                patterns.append(form)
                names.append(name)
            }
        }
        known = BytePatterns(patterns)
        self.names = names
        credentials = BytePatterns((Self.assignments + ["bearer "]).map { Array($0.utf8) }, ignoringCase: true)
        addresses = BytePatterns([Array("://".utf8)])
    }

    // MARK: A package

    /// Looks through what is going to be published and returns at most twenty places.
    func findings(
        in contents: StagedContents,
        package: any MapPackage,
        project: JSONValue,
        files: any FileSystem
    ) throws -> [SecretFinding] {
        let paths = contents.files.map(\.path)
        var findings: [SecretFinding] = []
        for path in paths {
            if let what = what(in: Array(path.utf8)) { findings.append(finding("the name of", path, what)) }
        }
        search(project, at: "", &findings)
        try package.readTexts { place, bytes in
            if let what = what(in: bytes) { findings.append(finding(place, what)) }
            return findings.count < Self.mostFindings && !Task.isCancelled
        }
        for path in paths where findings.count < Self.mostFindings {
            try Task.checkCancellation()
            // What was found in a table or a member needs not be told of the whole file again.
            let told = findings.filter { $0.file == path }.map(\.what)
            for what in try knownSecrets(inFile: contents.place(of: path), files) where !told.contains(what) {
                findings.append(SecretFinding(place: shown(path), what: what, file: path))
            }
        }
        return Array(findings.prefix(Self.mostFindings))
    }

    private func search(_ json: JSONValue, at path: String, _ findings: inout [SecretFinding]) {
        func found(_ what: String) {
            let member = path.isEmpty ? "" : ", \(shown(path))"
            findings.append(
                SecretFinding(
                    place: "\(PublishedFile.projectPath)\(member)",
                    what: what,
                    file: PublishedFile.projectPath
                )
            )
        }
        switch json {
        case .string(let text):
            if let what = what(in: Array(text.utf8)) { found(what) }
        case .array(let elements):
            for (index, element) in elements.enumerated() { search(element, at: "\(path)[\(index)]", &findings) }
        case .object(let members):
            for member in members {
                let name = path.isEmpty ? member.name : "\(path).\(member.name)"
                if let what = what(in: Array(member.name.utf8)) { found(what) }
                if case .string(let text) = member.value, !text.isEmpty,
                    Self.memberNames.contains(member.name.lowercased())
                {
                    findings.append(
                        SecretFinding(
                            place: "\(PublishedFile.projectPath), \(shown(name))",
                            what: "a value named “\(member.name)”",
                            file: PublishedFile.projectPath
                        )
                    )
                } else {
                    search(member.value, at: name, &findings)
                }
            }
        case .number(let number):
            if let what = knownSecret(in: Array(number.text.utf8)) { found(what) }
        case .null, .bool: break
        }
    }

    private func finding(_ prefix: String, _ path: String, _ what: String) -> SecretFinding {
        SecretFinding(place: "\(prefix) \(shown(path))", what: what, file: path)
    }

    private func finding(_ place: PackagePlace, _ what: String) -> SecretFinding {
        var parts = [place.file]
        if let table = place.table { parts.append("table \(shown(table))") }
        if let column = place.column { parts.append("column \(shown(column))") }
        if let key = place.key { parts.append("row \(key)") }
        return SecretFinding(place: parts.joined(separator: ", "), what: what, file: place.file)
    }

    /// A name as it can be shown: not when it has a secret itself.
    private func shown(_ name: String) -> String {
        what(in: Array(name.utf8)) == nil ? "“\(name)”" : "(a name that is not shown)"
    }

    // MARK: Texts

    /// What a text has that must not be published, in words for people, or nil.
    func what(in bytes: [UInt8]) -> String? {
        if let what = knownSecret(in: bytes) ?? credential(in: bytes) { return what }
        // What has a zero in it is no text that somebody has encoded.
        guard !bytes.contains(0) else { return nil }
        if bytes.contains(UInt8(ascii: "%")) {
            let decoded = Self.percentDecoded(bytes)
            if decoded != bytes, let what = knownSecret(in: decoded) ?? credential(in: decoded) { return what }
        }
        // Base64 can be broken into lines.
        if names.isEmpty || !bytes.contains(0x0A) { return nil }
        return knownSecret(in: bytes.filter { $0 != 0x0A && $0 != 0x0D && $0 != 0x20 && $0 != 0x09 })
    }

    private func knownSecret(in bytes: [UInt8]) -> String? {
        known.first(in: bytes).map { Self.words(names[$0]) }
    }

    private static func words(_ name: String) -> String { "the secret “\(name)”" }

    private func credential(in bytes: [UInt8]) -> String? {
        var found: String?
        credentials.search(bytes) { pattern, offset in
            let end = offset + credentials.patterns[pattern].count
            if pattern < Self.assignments.count {
                if Self.hasValue(bytes, from: end) { found = "“\(Self.assignments[pattern])”" }
            } else if Self.isBearer(bytes, at: offset, to: end) {
                found = "“Bearer …”"
            }
            return found == nil
        }
        if found != nil { return found }
        addresses.search(bytes) { _, offset in
            if Self.hasUserAndPassword(bytes, from: offset + 3) { found = "an address with a user and a password" }
            return found == nil
        }
        return found
    }

    /// Whether something stands behind an equals sign, quotes or not.
    private static func hasValue(_ bytes: [UInt8], from start: Int) -> Bool {
        let quotes: [UInt8] = [UInt8(ascii: "\""), UInt8(ascii: "'")]
        var index = start
        while index < bytes.count, quotes.contains(bytes[index]) || bytes[index] == UInt8(ascii: "\\") { index += 1 }
        guard index < bytes.count else { return false }
        return bytes[index] > 0x20 && ![UInt8(ascii: "&"), UInt8(ascii: ";"), UInt8(ascii: ",")].contains(bytes[index])
    }

    /// Whether “Bearer” has a token behind it: in prose it is written small, and no long word without spaces follows.
    private static func isBearer(_ bytes: [UInt8], at start: Int, to end: Int) -> Bool {
        var index = end
        while index < bytes.count, bytes[index] == 0x20 { index += 1 }
        let token = bytes[index...].prefix { byte in
            let isAlphanumeric = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
            return isAlphanumeric || "-._~+/=".utf8.contains(byte)
        }
        let hasDigit = token.contains { (0x30...0x39).contains($0) }
        if bytes[start] == UInt8(ascii: "B") { return token.count >= 8 || (token.count >= 4 && hasDigit) }
        return token.count >= 16 || (token.count >= 8 && hasDigit)
    }

    /// Whether `user:password@` follows.
    private static func hasUserAndPassword(_ bytes: [UInt8], from start: Int) -> Bool {
        // Printable ASCII only: an address has nothing else, and pictures are full of accidents.
        let authority = bytes[start...].prefix { (0x21...0x7E).contains($0) && !"/?#\"'<>".utf8.contains($0) }
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")),
            let colon = authority[..<at].firstIndex(of: UInt8(ascii: ":"))
        else { return false }
        return colon + 1 < at
    }

    private static func percentDecoded(_ bytes: [UInt8]) -> [UInt8] {
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = hexValue(bytes[index + 1]), let low = hexValue(bytes[index + 2])
            {
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return decoded
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }

    // MARK: Files

    /// The known secrets in a file, read piece by piece, in the order of their names.
    private func knownSecrets(inFile path: String, _ files: any FileSystem) throws(FileSystemError) -> [String] {
        guard known.longest > 0 else { return [] }
        let file = try files.openForReading(path)
        defer { file.close() }
        var found: Set<Int> = []
        var offset = 0
        var window: [UInt8] = []
        while true {
            let chunk = try file.read(from: offset, count: Self.chunkBytes)
            if chunk.isEmpty { break }
            offset += chunk.count
            // The end of the last piece again, so that a secret across the boundary is whole once.
            window = Array(window.suffix(known.longest - 1))
            window += chunk
            known.search(window) { pattern, _ in
                found.insert(pattern)
                return true
            }
        }
        return Set(found.map { names[$0] }).sorted().map(Self.words)
    }

    // MARK: Forms

    /// The forms in which a secret is looked for.
    private static func forms(of secret: [UInt8]) -> [[UInt8]] {
        var forms = [secret]
        for alphabet in [base64Alphabet, base64URLAlphabet] {
            for alignment in 0..<3 { forms.append(base64(secret, alignment: alignment, alphabet)) }
        }
        for digits in ["0123456789ABCDEF", "0123456789abcdef"].map({ Array($0.utf8) }) {
            forms.append(percentEncoded(secret, digits) { !unreserved.contains($0) })
            forms.append(percentEncoded(secret, digits) { _ in true })
            let form = percentEncoded(secret, digits) { !unreserved.contains($0) && $0 != 0x20 }
            forms.append(form.map { $0 == 0x20 ? UInt8(ascii: "+") : $0 })
        }
        return forms.filter { $0.count >= shortestSecret }
    }

    private static let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
    private static let base64Alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let base64URLAlphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
    )

    private static func percentEncoded(
        _ bytes: [UInt8],
        _ digits: [UInt8],
        where isEncoded: (UInt8) -> Bool
    ) -> [UInt8] {
        bytes.flatMap { byte -> [UInt8] in
            isEncoded(byte) ? [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]] : [byte]
        }
    }

    /// The characters of base64 (RFC 4648) that do not depend on what stands around the bytes, of which so many stand
    /// before them, modulo 3.
    private static func base64(_ bytes: [UInt8], alignment: Int, _ alphabet: [UInt8]) -> [UInt8] {
        // Six bits a character; the first whole character begins at or after the bytes' first bit.
        let firstBit = alignment * 8
        let lastBit = firstBit + bytes.count * 8
        var characters: [UInt8] = []
        var bit = (firstBit + 5) / 6 * 6
        while bit + 6 <= lastBit {
            var value = 0
            for position in bit..<bit + 6 {
                let index = (position - firstBit) / 8
                value = value << 1 | Int(bytes[index] >> UInt8(7 - (position - firstBit) % 8)) & 1
            }
            characters.append(alphabet[value])
            bit += 6
        }
        return characters
    }
}

/// A place in a package that has a secret, or what looks like one.
struct SecretFinding: Hashable, Sendable {
    /// Where it is, in words for people.
    let place: String
    /// What it is, in words for people: the name of the secret or the pattern.
    let what: String
    /// The file it is in.
    let file: String

    var words: String { "\(place) has \(what)" }
}
