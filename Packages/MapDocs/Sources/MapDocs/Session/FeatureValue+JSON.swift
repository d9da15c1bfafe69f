import TransportCore

extension FeatureValue {
    /// The value as JSON that reads back as the same: numbers with a fraction or an exponent are reals, others integers.
    var json: JSONValue {
        switch self {
        case .null: .null
        case .integer(let value): .number(JSONNumber(value))
        case .real(let value):
            value.isFinite ? .decimal(value) : ["real": .string("\(value)")]
        case .text(let text): .string(text)
        case .blob(let bytes): ["blob": .string(FolderDocumentContents.hexadecimal(bytes))]
        }
    }

    init?(json: JSONValue) {
        switch json {
        case .null: self = .null
        case .string(let text): self = .text(text)
        case .number(let number):
            if let value = Int64(number.text) {
                self = .integer(value)
            } else if let value = Double(number.text) {
                self = .real(value)
            } else {
                return nil
            }
        case .object:
            if let value = json["real"]?.stringValue.flatMap(Double.init) {
                self = .real(value)
            } else if let bytes = json["blob"]?.stringValue.flatMap(Self.bytes(hex:)) {
                self = .blob(bytes)
            } else {
                return nil
            }
        case .bool, .array: return nil
        }
    }

    /// Whether two values are stored alike.
    ///
    /// Unlike ==, which takes differently composed letters, and the two zeros, for the same.
    func isStored(like other: FeatureValue) -> Bool {
        switch (self, other) {
        case (.text(let text), .text(let other)): text.utf8.elementsEqual(other.utf8)
        case (.real(let value), .real(let other)): value.bitPattern == other.bitPattern
        default: self == other
        }
    }

    private static func bytes(hex: String) -> [UInt8]? {
        let digits = hex.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }
}

extension MapGeometry {
    /// The shape as JSON that reads back as the same: `{"type", "coordinates"}`, null for an empty point.
    var json: JSONValue {
        func list<Element>(_ elements: [Element], _ json: (Element) -> JSONValue) -> JSONValue {
            .array(elements.map(json))
        }
        func line(_ positions: [MapPosition]) -> JSONValue { list(positions, \.json) }
        let coordinates: JSONValue =
            switch self {
            case .point(let position): position?.json ?? .null
            case .lineString(let positions): line(positions)
            case .polygon(let rings), .multiLineString(let rings): list(rings, line)
            case .multiPoint(let positions): list(positions) { $0?.json ?? .null }
            case .multiPolygon(let polygons): list(polygons) { list($0, line) }
            case .collection(let geometries): list(geometries, \.json)
            }
        return ["type": .string(kind.rawValue), "coordinates": coordinates]
    }

    init?(json: JSONValue) {
        func list<Element>(_ json: JSONValue, _ read: (JSONValue) -> Element?) -> [Element]? {
            guard let elements = json.elements else { return nil }
            let values = elements.compactMap(read)
            return values.count == elements.count ? values : nil
        }
        func line(_ json: JSONValue) -> [MapPosition]? { list(json, MapPosition.init(json:)) }
        func rings(_ json: JSONValue) -> [[MapPosition]]? { list(json, line) }
        /// An empty point is nil and still an element.
        func point(_ json: JSONValue) -> MapPosition?? {
            json == .null ? .some(nil) : MapPosition(json: json).map { .some($0) }
        }
        guard let kind = json["type"]?.stringValue.flatMap(Kind.init(rawValue:)), let coordinates = json["coordinates"]
        else { return nil }
        let geometry: MapGeometry? =
            switch kind {
            case .point: point(coordinates).map { .point($0) }
            case .lineString: line(coordinates).map { .lineString($0) }
            case .polygon: rings(coordinates).map { .polygon($0) }
            case .multiPoint: list(coordinates, point).map { .multiPoint($0) }
            case .multiLineString: rings(coordinates).map { .multiLineString($0) }
            case .multiPolygon: list(coordinates, rings).map { .multiPolygon($0) }
            case .collection: list(coordinates, MapGeometry.init(json:)).map { .collection($0) }
            }
        guard let geometry else { return nil }
        self = geometry
    }
}

extension MapPosition {
    fileprivate var json: JSONValue {
        var ordinates = [longitude, latitude]
        if altitude != nil || measure != nil { ordinates.append(altitude ?? .nan) }
        if let measure { ordinates.append(measure) }
        return .array(ordinates.map { $0.isFinite ? .exact($0) : .string("\($0)") })
    }

    fileprivate init?(json: JSONValue) {
        let ordinates = (json.elements ?? []).compactMap { $0.doubleValue ?? $0.stringValue.flatMap(Double.init) }
        guard ordinates.count >= 2 else { return nil }
        self.init(
            longitude: ordinates[0],
            latitude: ordinates[1],
            altitude: ordinates.count > 2 && !ordinates[2].isNaN ? ordinates[2] : nil,
            measure: ordinates.count > 3 ? ordinates[3] : nil
        )
    }
}
