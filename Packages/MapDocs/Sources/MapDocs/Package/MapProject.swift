public import TransportCore

/// A project as its `project.json` describes it: layers, bookmarks, camera, basemap and the last published revision.
///
/// Whatever it does not know it keeps: members and elements of other programs stay where they are at every level, and
/// what is not changed is written with the digits it was read with. Parts that are missing or of the wrong kind have
/// defaults.
///
/// The members: `format` (`gispad`), `version` (1), `id`, `name`, `revision` (`number`, `fingerprint`, `published_at` in
/// seconds since 1970, `published_by`), `camera`, `basemap`, `layers`, `bookmarks`.
public struct MapProject: Hashable, Sendable {
    /// The format that is written in `format`.
    public static let formatName = "gispad"
    /// The newest version of the format that can be changed.
    public static let formatVersion = 1

    /// The whole text with everything that is kept.
    public private(set) var json: JSONValue

    /// Makes a project without layers.
    ///
    /// - Parameters:
    ///   - id: What identifies it across copies and devices.
    ///   - name: The name that people read.
    public init(id: String, name: String) {
        json = .object([
            "format": .string(Self.formatName),
            "version": .integer(Self.formatVersion),
            "id": .string(id),
            "name": .string(name),
            "layers": [],
            "bookmarks": [],
        ])
    }

    /// Reads a `project.json`.
    ///
    /// - Parameter bytes: The text in UTF-8.
    /// - Throws: `MapPackageError` with the code `damaged` when it is not I-JSON (RFC 7493), no object, or of another
    ///   format.
    public init(parsing bytes: [UInt8]) throws(MapPackageError) {
        let json: JSONValue
        do {
            json = try JSONValue(parsing: bytes, as: .iJSON)
        } catch {
            throw Self.damaged(error.message)
        }
        try self.init(json: json)
    }

    /// Takes a `project.json` that was read before.
    ///
    /// - Parameter json: The object.
    /// - Throws: `MapPackageError` with the code `damaged` when it is no object, or of another format.
    public init(json: JSONValue) throws(MapPackageError) {
        guard json.members != nil else { throw Self.damaged("It is not a JSON object.") }
        if let format = json["format"], format.stringValue != Self.formatName {
            throw Self.damaged("It says that its format is \(format.text), not “\(Self.formatName)”.")
        }
        self.json = json
    }

    /// The text for the file, indented, with a line feed at its end.
    public var bytes: [UInt8] { Array(json.indentedText.utf8) + [0x0A] }

    private static func damaged(_ reason: String) -> MapPackageError {
        MapPackageError(
            code: .damaged,
            subject: PublishedFile.projectPath,
            message: "“\(PublishedFile.projectPath)” cannot be used: \(reason) Fetch the project again."
        )
    }
}

// MARK: What it says about itself

extension MapProject {
    /// What identifies the project across copies and devices; empty when it says nothing.
    public var id: String { json["id"]?.stringValue ?? "" }

    /// The name that people read, or nil when it has none: then its file's name counts.
    public var name: String? { json["name"]?.stringValue }

    /// Why it can be looked at but not changed, in words for people, or nil when it can be changed.
    public var readOnlyReason: String? {
        guard let version = json["version"], version != .null else { return nil }
        if let number = version.doubleValue, number <= Double(Self.formatVersion) { return nil }
        return "This project was saved by a newer version of the app (format \(version.text), this one knows "
            + "\(Self.formatVersion)); it can be looked at but not changed. Update the app to edit it."
    }

    /// How often it was published, in 0...2^53; 0 when it says nothing.
    public var revisionNumber: Int { min(max(0, json["revision"]?["number"]?.intValue ?? 0), 1 << 53) }

    /// When it was last published by the clock of whoever did, in seconds since 1970, or nil; only for showing.
    public var publishedAt: Double? { json["revision"]?["published_at"]?.doubleValue }

    /// Who published it last, or nil; only for showing.
    public var publishedBy: String? { json["revision"]?["published_by"]?.stringValue }

    /// The fingerprint it claims, or nil; what is really there may have another.
    public var claimedFingerprint: DocumentFingerprint? {
        json["revision"]?["fingerprint"]?.stringValue.flatMap(DocumentFingerprint.init(sha256:))
    }

    /// Returns the revision of a package with this project: what it says, with the fingerprint of what is there.
    ///
    /// - Parameter fingerprint: The fingerprint as computed from the files.
    /// - Returns: The revision; number 0 when the project has none.
    public func revision(withContent fingerprint: DocumentFingerprint) -> DocumentRevision {
        DocumentRevision(
            number: revisionNumber,
            fingerprint: fingerprint,
            publishedAt: publishedAt,
            publishedBy: publishedBy
        )
    }

    /// Writes a revision; other members of `revision` stay.
    ///
    /// - Parameter revision: The revision that the package has, or will have once published.
    public mutating func setRevision(_ revision: DocumentRevision) {
        var member = json["revision"].flatMap { $0.members == nil ? nil : $0 } ?? .object([])
        member.set("number", to: .integer(revision.number))
        member.set("fingerprint", to: .string(revision.fingerprint.sha256))
        member.set("published_at", to: .number(revision.publishedAt))
        member.set("published_by", to: .string(revision.publishedBy))
        json.set("revision", to: member)
    }

    /// The camera that opening shows, or nil when the project has none that can be drawn.
    public var camera: MapCamera? {
        get { json["camera"].flatMap(MapCamera.init(json:)) }
        set {
            guard newValue != camera else { return }
            json.set("camera", to: newValue.map { $0.json(over: json["camera"]) })
        }
    }

    /// The map below the layers; standard when the project says nothing.
    public var basemap: MapBasemap {
        get { MapBasemap(json: json["basemap"]) }
        set {
            guard newValue != basemap else { return }
            json.set("basemap", to: newValue.json(over: json["basemap"]))
        }
    }
}

// MARK: Layers and bookmarks

extension MapProject {
    /// The layers in drawing order, the lowest first; elements that name no table are kept but not among them.
    public var layers: [MapLayer] { (json["layers"]?.elements ?? []).compactMap(MapLayer.init(json:)) }

    /// Returns a layer, or nil when there is none.
    ///
    /// - Parameter id: The layer's identifier.
    /// - Returns: The first layer that has it.
    public func layer(_ id: String) -> MapLayer? { layers.first { $0.id == id } }

    /// Changes a layer; does nothing when there is none.
    ///
    /// - Parameters:
    ///   - id: The layer's identifier.
    ///   - change: What to change.
    public mutating func updateLayer(_ id: String, _ change: (inout MapLayer) -> Void) {
        updateElement(of: "layers") { element in
            guard var layer = MapLayer(json: element), layer.id == id else { return nil }
            change(&layer)
            return .replace(layer.json)
        }
    }

    /// Adds a layer above the others.
    ///
    /// - Parameter layer: The layer.
    public mutating func addLayer(_ layer: MapLayer) {
        json.set("layers", to: .array((json["layers"]?.elements ?? []) + [layer.json]))
    }

    /// The bookmarks in their order; elements without a camera that can be drawn are kept but not among them.
    public var bookmarks: [MapBookmark] { (json["bookmarks"]?.elements ?? []).compactMap(MapBookmark.init(json:)) }

    /// Returns a bookmark, or nil when there is none.
    ///
    /// - Parameter id: The bookmark's identifier.
    /// - Returns: The first bookmark that has it.
    public func bookmark(_ id: String) -> MapBookmark? { bookmarks.first { $0.id == id } }

    /// Changes a bookmark; does nothing when there is none.
    ///
    /// - Parameters:
    ///   - id: The bookmark's identifier.
    ///   - change: What to change.
    public mutating func updateBookmark(_ id: String, _ change: (inout MapBookmark) -> Void) {
        updateElement(of: "bookmarks") { element in
            guard var bookmark = MapBookmark(json: element), bookmark.id == id else { return nil }
            change(&bookmark)
            return .replace(bookmark.json)
        }
    }

    /// Adds a bookmark behind the others.
    ///
    /// - Parameter bookmark: The bookmark.
    public mutating func addBookmark(_ bookmark: MapBookmark) {
        json.set("bookmarks", to: .array((json["bookmarks"]?.elements ?? []) + [bookmark.json]))
    }

    /// Removes a bookmark; does nothing when there is none.
    ///
    /// - Parameter id: The bookmark's identifier.
    public mutating func removeBookmark(_ id: String) {
        updateElement(of: "bookmarks") { element in
            MapBookmark(json: element)?.id == id ? .remove : nil
        }
    }

    private enum ElementChange {
        case replace(JSONValue)
        case remove
    }

    /// Changes the first element of a list for which a closure returns a change.
    private mutating func updateElement(of name: String, _ change: (JSONValue) -> ElementChange?) {
        guard var elements = json[name]?.elements else { return }
        for index in elements.indices {
            switch change(elements[index]) {
            case nil: continue
            case .replace(let element): elements[index] = element
            case .remove: elements.remove(at: index)
            }
            json.set(name, to: .array(elements))
            return
        }
    }
}
