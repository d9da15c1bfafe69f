import CHopeZlib

/// Writes pictures as PNG files (PNG Specification, third edition).
///
/// The bytes depend on the picture alone, for one version of zlib.
public enum PNGEncoder {
    /// How rows are prepared for compression; every choice stores the same picture.
    public enum Filtering: CaseIterable, Sendable {
        /// Rows as they are: best for flat colours and for parts that repeat, such as a wall of dots.
        case none
        /// Each row with the filter that leaves the smallest numbers: best for gradients and photographs.
        case adaptive
        /// Both ways, and the shorter file of the two, for twice the time.
        case smallest
    }

    /// The bytes of a PNG file: 8-bit RGB when every pixel is opaque, else 8-bit RGBA, not interlaced, tagged as sRGB.
    ///
    /// - Parameters:
    ///   - image: The picture.
    ///   - filtering: How rows are prepared for compression.
    /// - Returns: The whole file.
    /// - Throws: `RasterError.unsupportedSize` for a picture without pixels, or `RasterError.compression` when zlib
    ///   has no memory.
    public static func encode(_ image: RasterImage, filtering: Filtering = .smallest) throws(RasterError) -> [UInt8] {
        let limit = Int(Int32.max)
        guard image.width > 0, image.height > 0, image.width <= limit, image.height <= limit else {
            throw .unsupportedSize(width: image.width, height: image.height)
        }
        let opaque = isOpaque(image)
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let header = bigEndian(UInt32(image.width)) + bigEndian(UInt32(image.height)) + [8, opaque ? 2 : 6, 0, 0, 0]
        append("IHDR", header, to: &file)
        append("sRGB", [0], to: &file)
        append("IDAT", try imageData(image, channels: opaque ? 3 : 4, filtering), to: &file)
        append("IEND", [], to: &file)
        return file
    }

    private static func imageData(
        _ image: RasterImage,
        channels: Int,
        _ filtering: Filtering
    ) throws(RasterError) -> [UInt8] {
        switch filtering {
        case .none:
            return try compress(filtered(image, channels: channels, by: [.none]))
        case .adaptive:
            return try compress(filtered(image, channels: channels, by: PNGFilter.allCases))
        case .smallest:
            let plain = try imageData(image, channels: channels, .none)
            let adaptive = try imageData(image, channels: channels, .adaptive)
            return adaptive.count < plain.count ? adaptive : plain
        }
    }

    private static func isOpaque(_ image: RasterImage) -> Bool {
        image.pixels.withUnsafeBufferPointer { pixels in
            for index in stride(from: 3, to: pixels.count, by: 4) where pixels[index] != 255 { return false }
            return true
        }
    }

    /// The scanlines, each after the filter whose result has the smallest sum of magnitudes: the choice that the
    /// specification recommends, as flat and repeated parts become zeros.
    private static func filtered(_ image: RasterImage, channels: Int, by filters: [PNGFilter]) -> [UInt8] {
        let length = image.width * channels
        var above = [UInt8](repeating: 0, count: length)
        var line = above
        var best = above
        var trial = above
        var result: [UInt8] = []
        result.reserveCapacity((length + 1) * image.height)
        for row in 0..<image.height {
            let start = row * image.width * 4
            if channels == 4 {
                for index in 0..<length { line[index] = image.pixels[start + index] }
            } else {
                for column in 0..<image.width {
                    line[column * 3] = image.pixels[start + column * 4]
                    line[column * 3 + 1] = image.pixels[start + column * 4 + 1]
                    line[column * 3 + 2] = image.pixels[start + column * 4 + 2]
                }
            }
            var bestFilter = PNGFilter.none
            var bestCost = Int.max
            for filter in filters {
                let cost = filter.apply(to: line, above: above, channels: channels, into: &trial)
                if cost < bestCost {
                    (bestFilter, bestCost) = (filter, cost)
                    swap(&best, &trial)
                }
                if bestCost == 0 { break }
            }
            result.append(bestFilter.rawValue)
            result.append(contentsOf: best)
            swap(&above, &line)
        }
        return result
    }

    private static func compress(_ bytes: [UInt8]) throws(RasterError) -> [UInt8] {
        var length = compressBound(uLong(bytes.count))
        var result = [UInt8](repeating: 0, count: Int(length))
        let code = compress2(&result, &length, bytes, uLong(bytes.count), Z_DEFAULT_COMPRESSION)
        guard code == Z_OK else { throw .compression(code: Int(code)) }
        result.removeLast(result.count - Int(length))
        return result
    }

    private static func append(_ type: String, _ data: [UInt8], to file: inout [UInt8]) {
        let body = Array(type.utf8) + data
        file += bigEndian(UInt32(data.count))
        file += body
        file += bigEndian(UInt32(truncatingIfNeeded: crc32(0, body, uInt(body.count))))
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
