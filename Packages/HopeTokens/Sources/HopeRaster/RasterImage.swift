/// A finished picture: 8 bits a channel, straight opacity, rows from the top.
public struct RasterImage: Hashable, Sendable {
    /// Pixels in a row.
    public let width: Int
    /// Rows.
    public let height: Int
    /// Red, green, blue and opacity of each pixel, row after row: `width * height * 4` bytes.
    public let pixels: [UInt8]

    /// Makes a picture of bytes from elsewhere.
    ///
    /// - Throws: `RasterError.pixelCount` when there are not four bytes for each pixel, or
    ///   `RasterError.unsupportedSize` when a side is negative or their product overflows.
    public init(width: Int, height: Int, pixels: [UInt8]) throws(RasterError) {
        let (count, tooMany) = width.multipliedReportingOverflow(by: height)
        let (bytes, tooLong) = count.multipliedReportingOverflow(by: 4)
        guard width >= 0, height >= 0, !tooMany, !tooLong else {
            throw .unsupportedSize(width: width, height: height)
        }
        guard pixels.count == bytes else { throw .pixelCount(expected: bytes, found: pixels.count) }
        self.init(width: width, height: height, checked: pixels)
    }

    init(width: Int, height: Int, checked pixels: [UInt8]) {
        self.width = width
        self.height = height
        self.pixels = pixels
    }
}
