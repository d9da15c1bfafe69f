import TransportCore
import TransportHTTP

/// HMAC-SHA-256 by the book (RFC 2104), so that tokens can be tested without a cryptographic library.
let softwareHMAC: HMACSHA256 = { key, message in
    let digest = SoftwareContentDigest()
    var block = key.count > 64 ? digest.sha256(key) : key
    block += [UInt8](repeating: 0, count: 64 - block.count)
    let inner = digest.sha256(block.map { $0 ^ 0x36 } + message)
    return digest.sha256(block.map { $0 ^ 0x5C } + inner)
}

/// Base64 without padding, for tokens that are wrong on purpose.
func base64URL(_ text: some Collection<UInt8>) -> String {
    let symbols = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    var result = ""
    var rest = Array(text)[...]
    while !rest.isEmpty {
        let group = rest.prefix(3)
        rest = rest.dropFirst(3)
        var bits = group.reduce(0) { $0 << 8 | Int($1) }
        bits <<= 8 * (3 - group.count)
        for index in 0...group.count { result.append(symbols[bits >> (18 - index * 6) & 63]) }
    }
    return result
}
