import CHopeZlib

/// Reads what the encoder writes by the words of the PNG specification: the checksums bit by bit, the filters backwards.
struct PNGReader {
    enum Failure: Error {
        case signature, length, checksum(String), unsupported, inflate(Int32), filter(UInt8)
    }

    let width: Int
    let height: Int
    let colorType: UInt8
    let chunkTypes: [String]
    /// The filter of each row.
    let filters: [UInt8]
    /// RGBA, as in a `RasterImage`.
    let pixels: [UInt8]

    init(_ file: [UInt8]) throws {
        guard file.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] else { throw Failure.signature }
        var rest = file.dropFirst(8)
        var types: [String] = []
        var header: [UInt8] = []
        var data: [UInt8] = []
        while !rest.isEmpty {
            guard rest.count >= 12 else { throw Failure.length }
            let length = Self.number(rest.prefix(4))
            guard rest.count >= 12 + length else { throw Failure.length }
            let body = rest.dropFirst(4).prefix(4 + length)
            let type = String(decoding: body.prefix(4), as: UTF8.self)
            guard Self.number(rest.dropFirst(8 + length).prefix(4)) == Self.checksum(body) else {
                throw Failure.checksum(type)
            }
            types.append(type)
            if type == "IHDR" { header = Array(body.dropFirst(4)) }
            if type == "IDAT" { data += body.dropFirst(4) }
            rest = rest.dropFirst(12 + length)
        }
        guard header.count == 13, header[8] == 8, [2, 6].contains(header[9]), header[10...] == [0, 0, 0] else {
            throw Failure.unsupported
        }
        chunkTypes = types
        width = Self.number(header[0..<4])
        height = Self.number(header[4..<8])
        colorType = header[9]
        let channels = colorType == 2 ? 3 : 4
        let line = width * channels
        var lines = [UInt8](repeating: 0, count: (line + 1) * height + 1)
        var size = uLong(lines.count)
        let code = uncompress(&lines, &size, data, uLong(data.count))
        guard code == Z_OK, Int(size) == (line + 1) * height else { throw Failure.inflate(code) }
        var filters: [UInt8] = []
        var above = [UInt8](repeating: 0, count: line)
        var pixels: [UInt8] = []
        for row in 0..<height {
            let start = row * (line + 1)
            let filter = lines[start]
            filters.append(filter)
            var current = [UInt8](repeating: 0, count: line)
            for index in 0..<line {
                let a = index < channels ? 0 : Int(current[index - channels])
                let b = Int(above[index])
                let c = index < channels ? 0 : Int(above[index - channels])
                let prediction: Int
                switch filter {
                case 0: prediction = 0
                case 1: prediction = a
                case 2: prediction = b
                case 3: prediction = (a + b) / 2
                case 4:
                    let p = a + b - c
                    let (pa, pb, pc) = (abs(p - a), abs(p - b), abs(p - c))
                    prediction = pa <= pb && pa <= pc ? a : (pb <= pc ? b : c)
                default: throw Failure.filter(filter)
                }
                current[index] = UInt8((Int(lines[start + 1 + index]) + prediction) % 256)
            }
            for column in 0..<width {
                pixels += current[(column * channels)..<(column * channels + 3)]
                pixels.append(channels == 4 ? current[column * 4 + 3] : 255)
            }
            above = current
        }
        self.filters = filters
        self.pixels = pixels
    }

    private static func number(_ bytes: some Collection<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    private static func checksum(_ bytes: some Collection<UInt8>) -> Int {
        var register: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            register ^= UInt32(byte)
            for _ in 0..<8 { register = register & 1 == 1 ? register >> 1 ^ 0xEDB8_8320 : register >> 1 }
        }
        return Int(register ^ 0xFFFF_FFFF)
    }
}
