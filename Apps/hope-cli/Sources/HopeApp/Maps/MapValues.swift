internal import MapDocs

/// Reads the values that stand on map command lines.
enum MapValues {
    static let center = CommandOption("center", value: "LAT,LON", summary: "the place in the middle")
    static let zoom = CommandOption("zoom", value: "Z", summary: "the zoom level, held to 0 to 22")
    static let bearing = CommandOption("bearing", value: "DEGREES", summary: "the direction that is up (default: 0)")
    static let pitch = CommandOption("pitch", value: "DEGREES", summary: "the tilt, held to 0 to 60 (default: 0)")
    static let size = CommandOption("size", value: "WxH", summary: "the screen in points (default: 390x844)")
    static let units = CommandOption(
        "units",
        value: "SYSTEM",
        summary: "metric or imperial (default: metric)",
        choices: MeasurementUnits.allCases.map(\.rawValue)
    )
    static let cameraOptions = [center, zoom, bearing, pitch, size]

    /// Reads `LAT,LON`.
    static func place(_ text: String, _ name: String, _ invocation: Invocation) throws(CommandError) -> MapCoordinate {
        let (latitude, longitude) = try pair(text, name, "LAT,LON", invocation)
        guard abs(latitude) <= 90 else {
            throw .badUsage("\(name) has a latitude from -90 to 90, not \(latitude)", see: invocation.path)
        }
        do {
            return try MapCoordinate(latitude: latitude, longitude: longitude)
        } catch {
            throw .badUsage(error.message, see: invocation.path)
        }
    }

    /// Reads `X,Y`.
    static func point(_ text: String, _ name: String, _ invocation: Invocation) throws(CommandError) -> ScreenPoint {
        let (x, y) = try pair(text, name, "X,Y", invocation)
        return ScreenPoint(x: x, y: y)
    }

    private static func pair(
        _ text: String,
        _ name: String,
        _ form: String,
        _ invocation: Invocation
    ) throws(CommandError) -> (Double, Double) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            part.trimming { $0 == " " }
        }
        guard parts.count == 2, let first = Double(parts[0]), let second = Double(parts[1]), first.isFinite,
            second.isFinite
        else { throw .badUsage("\(name) is \(form), two numbers, not \(quoted(text))", see: invocation.path) }
        return (first, second)
    }

    /// The size of the screen.
    static func size(_ invocation: Invocation) throws(CommandError) -> (width: Double, height: Double) {
        guard let text = invocation[size] else { return (390, 844) }
        let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Double($0) }
        guard parts.count == 2, let width = parts[0], let height = parts[1], (1...8192).contains(width),
            (1...8192).contains(height)
        else {
            throw .badUsage("--size is WIDTHxHEIGHT, each from 1 to 8192, not \(quoted(text))", see: invocation.path)
        }
        return (width, height)
    }

    /// The camera that the options describe; what they leave out is that of another one.
    static func camera(_ invocation: Invocation, over base: MapCamera?) throws(CommandError) -> MapCamera {
        let given = try invocation[center].map { text throws(CommandError) in try place(text, "--center", invocation) }
        guard let middle = given ?? base?.center else {
            throw .badUsage("--center is missing: the place in the middle, LAT,LON", see: invocation.path)
        }
        let limits = -1e6...1e6
        let zoom = try invocation.number(zoom, in: limits)
        let bearing = try invocation.number(bearing, in: limits)
        let pitch = try invocation.number(pitch, in: limits)
        do {
            return try MapCamera(
                center: middle,
                zoom: zoom ?? base?.zoom ?? 0,
                bearing: bearing ?? base?.bearing ?? 0,
                pitch: pitch ?? base?.pitch ?? 0
            )
        } catch {
            throw .badUsage(error.message, see: invocation.path)
        }
    }

    /// The camera and the screen.
    static func projection(_ invocation: Invocation, over base: MapCamera?) throws(CommandError) -> MapProjection {
        let (width, height) = try size(invocation)
        let camera = try camera(invocation, over: base)
        do {
            return try MapProjection(camera: camera, width: width, height: height)
        } catch {
            throw .badUsage(error.message, see: invocation.path)
        }
    }

    /// How lengths and areas are written.
    static func format(_ invocation: Invocation, _ world: HopeWorld) -> MeasurementFormat {
        let units = invocation[units].flatMap(MeasurementUnits.init(rawValue:)) ?? .metric
        return MeasurementFormat(units: units, locale: world.maps.locale)
    }
}

extension Substring {
    /// The text without what matches at either end.
    fileprivate func trimming(_ isDropped: (Character) -> Bool) -> Substring {
        var rest = drop(while: isDropped)
        while let last = rest.last, isDropped(last) { rest.removeLast() }
        return rest
    }
}

extension MapProject {
    /// The camera of the project, or one that shows the whole world.
    var openingCamera: MapCamera? {
        if let camera { return camera }
        guard let center = try? MapCoordinate(latitude: 20, longitude: 0) else { return nil }
        return try? MapCamera(center: center, zoom: 0.5)
    }
}
