import TransportCore

/// SHA-256 written down from FIPS 180-4, so that the tests need no system library.
struct PortableSHA256: ContentDigest {
    func makeHasher() -> any ContentHasher { Hasher() }

    private struct Hasher: ContentHasher {
        var message: [UInt8] = []

        mutating func update(_ bytes: [UInt8]) { message += bytes }

        mutating func finalize() -> [UInt8] {
            let bits = UInt64(message.count) * 8
            message.append(0x80)
            while message.count % 64 != 56 { message.append(0) }
            for shift in stride(from: 56, through: 0, by: -8) {
                message.append(UInt8(truncatingIfNeeded: bits >> shift))
            }
            var hash = roots(of: 8) { $0.squareRoot() }
            let constants = roots(of: 64) { cubeRoot($0) }
            for start in stride(from: 0, to: message.count, by: 64) {
                compress(Array(message[start..<start + 64]), into: &hash, constants: constants)
            }
            return hash.flatMap { word in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) } }
        }

        private func compress(_ block: [UInt8], into hash: inout [UInt32], constants: [UInt32]) {
            var w = stride(from: 0, to: 64, by: 4).map { i in
                block[i..<i + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            }
            for i in 16..<64 {
                let s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ (w[i - 15] >> 3)
                let s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ (w[i - 2] >> 10)
                w.append(w[i - 16] &+ s0 &+ w[i - 7] &+ s1)
            }
            var v = hash
            for i in 0..<64 {
                let s1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)
                let choice = (v[4] & v[5]) ^ (~v[4] & v[6])
                let first = v[7] &+ s1 &+ choice &+ constants[i] &+ w[i]
                let s0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)
                let majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2])
                v = [first &+ s0 &+ majority, v[0], v[1], v[2], v[3] &+ first, v[4], v[5], v[6]]
            }
            hash = zip(hash, v).map { $0 &+ $1 }
        }

        private func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

        /// Returns the first 32 bits of the fractional parts of the roots of the first primes.
        private func roots(of count: Int, _ root: (Double) -> Double) -> [UInt32] {
            var primes: [Int] = []
            var candidate = 2
            while primes.count < count {
                if !primes.contains(where: { candidate % $0 == 0 }) { primes.append(candidate) }
                candidate += 1
            }
            return primes.map { prime in
                let value = root(Double(prime))
                return UInt32((value - value.rounded(.down)) * 0x1p32)
            }
        }

        private func cubeRoot(_ value: Double) -> Double {
            var root = value / 3 + 1
            for _ in 0..<60 { root -= (root * root * root - value) / (3 * root * root) }
            return root
        }
    }
}
