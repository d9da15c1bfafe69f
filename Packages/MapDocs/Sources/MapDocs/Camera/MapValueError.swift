/// A camera, coordinate or viewport value that no map can be drawn from.
///
/// Values that are merely out of range are clamped or wrapped and never become an error.
public enum MapValueError: Error, Hashable, Sendable {
    /// The named value is NaN or infinite; pass a finite number.
    case notFinite(name: String)
    /// The named length is zero or negative; pass a positive number of points.
    case notPositive(name: String, value: Double)

    /// A sentence for people that names the value and the way out.
    public var message: String {
        switch self {
        case .notFinite(let name):
            "The map's \(name) is not a finite number; use a finite value."
        case .notPositive(let name, let value):
            "The map's \(name) is \(value); use a value above zero."
        }
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension MapValueError: CustomStringConvertible {
    public var description: String { message }
}

extension Double {
    /// Returns the value unless it is NaN or infinite.
    func finite(_ name: String) throws(MapValueError) -> Double {
        guard isFinite else { throw MapValueError.notFinite(name: name) }
        return self
    }

    /// Returns the value unless it is NaN, infinite, zero or negative.
    func positive(_ name: String) throws(MapValueError) -> Double {
        let value = try finite(name)
        guard value > 0 else { throw MapValueError.notPositive(name: name, value: value) }
        return value
    }
}
