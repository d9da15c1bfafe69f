public import TransportCore

/// A layer of a project: which table is drawn, how, and whether.
public struct MapLayer: Hashable, Sendable {
    /// Whether a layer's features are data or markup.
    public enum Role: String, CaseIterable, Hashable, Sendable {
        /// Data: features that are looked up, measured and counted.
        case authoritative
        /// Notes that people made on top of the data.
        case markup
    }

    /// The layer as it stands in project.json, with everything that is kept.
    public private(set) var json: JSONValue

    /// Makes a layer.
    ///
    /// - Parameters:
    ///   - id: What identifies it in the project.
    ///   - table: The table of its features.
    ///   - name: The name that people read.
    ///   - role: Data or markup.
    ///   - geometryKind: The kind of its geometries; nil for any kind.
    ///   - isVisible: Whether it is drawn.
    ///   - isLocked: Whether its features cannot be changed.
    ///   - style: How it is drawn.
    public init(
        id: String,
        table: String,
        name: String,
        role: Role = .authoritative,
        geometryKind: MapGeometry.Kind? = nil,
        isVisible: Bool = true,
        isLocked: Bool = false,
        style: MapStyle = MapStyle()
    ) {
        json = .object([
            "id": .string(id),
            "table": .string(table),
            "name": .string(name),
            "role": .string(role.rawValue),
            "geometry": .string(geometryKind?.rawValue),
            "visible": .bool(isVisible),
            "locked": .bool(isLocked),
        ])
        if style != MapStyle() { json.set("style", to: style.json) }
    }

    init?(json: JSONValue) {
        guard json["id"]?.stringValue != nil || json["table"]?.stringValue != nil else { return nil }
        self.json = json
    }

    /// What identifies it in the project; its table's name when it says nothing.
    public var id: String { json["id"]?.stringValue ?? table }

    /// The table of its features.
    public var table: String { json["table"]?.stringValue ?? json["id"]?.stringValue ?? "" }

    /// The name that people read; its table's name when it says nothing.
    public var name: String { json["name"]?.stringValue ?? table }

    /// Data or markup; data when it says nothing.
    public var role: Role { json["role"]?.stringValue.flatMap(Role.init(rawValue:)) ?? .authoritative }

    /// The kind of its geometries; nil for any kind or when it says nothing.
    public var geometryKind: MapGeometry.Kind? { json["geometry"]?.stringValue.flatMap(MapGeometry.Kind.init(name:)) }

    /// Whether it is drawn; true when it says nothing.
    public var isVisible: Bool {
        get { json["visible"]?.boolValue ?? true }
        set { if newValue != isVisible { json.set("visible", to: .bool(newValue)) } }
    }

    /// Whether its features cannot be changed; false when it says nothing.
    public var isLocked: Bool { json["locked"]?.boolValue ?? false }

    /// How it is drawn.
    public var style: MapStyle { MapStyle(json: json["style"]) }
}

/// How a layer is drawn; what is nil is up to whoever draws it.
public struct MapStyle: Hashable, Sendable {
    /// The colour of areas and points, `#RRGGBB` or `#RRGGBBAA`.
    public var fill: String?
    /// The colour of lines and edges, `#RRGGBB` or `#RRGGBBAA`.
    public var stroke: String?
    /// The width of lines and edges in points, above 0.
    public var strokeWidth: Double?
    /// The radius of points in points, above 0.
    public var radius: Double?

    /// Makes a style.
    ///
    /// - Parameters:
    ///   - fill: The colour of areas and points.
    ///   - stroke: The colour of lines and edges.
    ///   - strokeWidth: The width of lines in points.
    ///   - radius: The radius of points in points.
    public init(fill: String? = nil, stroke: String? = nil, strokeWidth: Double? = nil, radius: Double? = nil) {
        self.fill = fill
        self.stroke = stroke
        self.strokeWidth = strokeWidth
        self.radius = radius
    }

    init(json: JSONValue?) {
        func length(_ name: String) -> Double? { json?[name]?.doubleValue.flatMap { $0 > 0 ? $0 : nil } }
        fill = json?["fill"]?.stringValue
        stroke = json?["stroke"]?.stringValue
        strokeWidth = length("stroke_width")
        radius = length("radius")
    }

    var json: JSONValue {
        var json = JSONValue.object([])
        if let fill { json.set("fill", to: .string(fill)) }
        if let stroke { json.set("stroke", to: .string(stroke)) }
        if let strokeWidth { json.set("stroke_width", to: .exact(strokeWidth)) }
        if let radius { json.set("radius", to: .exact(radius)) }
        return json
    }
}

/// A camera with a name.
public struct MapBookmark: Hashable, Sendable {
    /// The bookmark as it stands in project.json, with everything that is kept.
    public private(set) var json: JSONValue
    /// Where it leads.
    public private(set) var camera: MapCamera

    /// Makes a bookmark.
    ///
    /// - Parameters:
    ///   - id: What identifies it in the project.
    ///   - name: The name that people read.
    ///   - camera: Where it leads.
    public init(id: String, name: String, camera: MapCamera) {
        json = .object(["id": .string(id), "name": .string(name), "camera": camera.json()])
        self.camera = camera
    }

    init?(json: JSONValue) {
        guard let camera = json["camera"].flatMap(MapCamera.init(json:)) else { return nil }
        self.json = json
        self.camera = camera
    }

    /// What identifies it in the project; its name when it says nothing.
    public var id: String { json["id"]?.stringValue ?? name }

    /// The name that people read.
    public var name: String {
        get { json["name"]?.stringValue ?? "" }
        set {
            guard !newValue.utf8.elementsEqual(name.utf8) else { return }
            // A bookmark that was known by its name keeps what it is known by.
            if json["id"]?.stringValue == nil { json.set("id", to: .string(id)) }
            json.set("name", to: .string(newValue))
        }
    }
}

/// The map below the layers.
public enum MapBasemap: Hashable, Sendable {
    /// Streets and places.
    case standard
    /// Pictures from above; the provider's key is in the `SecretStore`.
    case satellite
    /// One that was chosen elsewhere: kept as it is and shown by its name, not offered.
    case other(JSONValue)

    init(json: JSONValue?) {
        switch json?.stringValue ?? (json?["preset"] ?? json?["provider"])?.stringValue {
        case "standard": self = .standard
        case "satellite": self = .satellite
        default: self = json.map { $0 == .null ? .standard : .other($0) } ?? .standard
        }
    }

    /// The basemap as JSON; when one of ours takes the place of the other, unknown members stay.
    func json(over previous: JSONValue?) -> JSONValue {
        let preset: String
        switch self {
        case .standard: preset = "standard"
        case .satellite: preset = "satellite"
        case .other(let json): return json
        }
        guard var json = previous, json.members != nil else { return ["preset": .string(preset)] }
        if case .other = MapBasemap(json: json) { return ["preset": .string(preset)] }
        json.set(json["preset"] == nil && json["provider"] != nil ? "provider" : "preset", to: .string(preset))
        return json
    }

    /// The name that people read.
    public var name: String {
        switch self {
        case .standard: "Standard"
        case .satellite: "Satellite"
        case .other(let json):
            (json["name"] ?? json["preset"] ?? json["provider"] ?? json).stringValue ?? "Other basemap"
        }
    }
}
