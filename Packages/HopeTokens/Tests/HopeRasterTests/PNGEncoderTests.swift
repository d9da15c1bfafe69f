import HopeRaster
import HopeTokens
import Testing

struct PNGEncoderTests {
    @Test func `a file begins with the signature and its header`() throws {
        let file = try PNGEncoder.encode(RasterCanvas(width: 3, height: 2, background: .white).image())
        #expect(Array(file.prefix(16)) == [137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82])
    }
}
