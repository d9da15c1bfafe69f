/// Why a picture could not be made.
public enum RasterError: Error, Hashable, Sendable {
    /// The number of bytes does not fit the size.
    case pixelCount(expected: Int, found: Int)
    /// A side is outside 1…2³¹ − 1, which is all that a PNG file can hold.
    case unsupportedSize(width: Int, height: Int)
    /// zlib refused, with its own error code.
    case compression(code: Int)
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension RasterError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .pixelCount(let expected, let found):
            "The picture has \(found) bytes of pixels where its size asks for \(expected): pass 4 bytes a pixel."
        case .unsupportedSize(let width, let height):
            "A picture of \(width) × \(height) pixels cannot be a PNG file: each side must be 1 to 2147483647."
        case .compression(let code):
            "zlib could not compress the picture (code \(code)): free some memory, or make the picture smaller."
        }
    }
}
