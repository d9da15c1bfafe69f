import TransportCore

extension JSONValue {
    /// Sets a member of an object where it stands, or behind the others; nil removes it.
    mutating func set(_ name: String, to value: JSONValue?) {
        var members = members ?? []
        let index = members.lastIndex { $0.name.utf8.elementsEqual(name.utf8) }
        if let value {
            if let index {
                members[index].value = value
            } else {
                members.append(Member(name: name, value: value))
            }
        } else if let index {
            members.remove(at: index)
        }
        self = .object(members)
    }

    /// A number that reads back with the same bits, the sign of zero included.
    static func exact(_ value: Double) -> JSONValue {
        value == 0 && value.sign == .minus ? .decimal(value) : .number(value)
    }
}

extension MapCamera {
    /// Reads `{"center": [longitude, latitude], "zoom", "bearing", "pitch"}`; the centre can be `{"lat", "lon"}` too.
    init?(json: JSONValue) {
        let place = json["center"] ?? json
        let longitude: Double?
        let latitude: Double?
        if let pair = place.elements {
            longitude = pair.first?.doubleValue
            latitude = pair.count > 1 ? pair[1].doubleValue : nil
        } else {
            longitude = place["lon"]?.doubleValue
            latitude = place["lat"]?.doubleValue
        }
        guard let longitude, let latitude,
            let center = try? MapCoordinate(latitude: latitude, longitude: longitude),
            let camera = try? MapCamera(
                center: center,
                zoom: json["zoom"]?.doubleValue ?? 0,
                bearing: json["bearing"]?.doubleValue ?? 0,
                pitch: json["pitch"]?.doubleValue ?? 0
            )
        else { return nil }
        self = camera
    }

    /// The camera as JSON, in the place of another whose unknown members stay.
    func json(over previous: JSONValue? = nil) -> JSONValue {
        var json = previous.flatMap { $0.members == nil ? nil : $0 } ?? .object([])
        json.set("lat", to: nil)
        json.set("lon", to: nil)
        json.set("center", to: [.exact(center.longitude), .exact(center.latitude)])
        json.set("zoom", to: .exact(zoom))
        json.set("bearing", to: .exact(bearing))
        json.set("pitch", to: .exact(pitch))
        return json
    }
}

extension MapGeometry.Kind {
    /// Reads a kind as it is written in project.json or in a GeoPackage, in any case.
    init?(name: String) {
        let name = name.lowercased()
        let isCollection = name == "geometrycollection" || name == "geomcollection"
        guard let kind = isCollection ? .collection : Self.allCases.first(where: { $0.rawValue.lowercased() == name })
        else { return nil }
        self = kind
    }
}
