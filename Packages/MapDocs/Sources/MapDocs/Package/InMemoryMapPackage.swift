import Synchronization
public import TransportCore

/// A package whose features are kept in memory, with every promise of the seam.
///
/// One that `InMemoryMapPackageFormat` opened also keeps them in the package's file, written anew with each transaction;
/// of several open packages of one folder only one may write.
public final class InMemoryMapPackage: Sendable {
    /// Where the features are kept besides memory.
    struct Storage: Sendable {
        let files: any FileSystem
        let folder: String
        let name: String

        var path: String { "\(folder)/\(name)" }
    }

    private struct State {
        var data: InMemoryMapData
        var isClosed = false
    }

    /// Why it cannot be written to, or nil when it can.
    public let readOnlyReason: String?
    private let digest: any ContentDigest
    private let storage: Storage?
    private let state: Mutex<State>

    /// Makes a package that is in memory only, with empty tables.
    ///
    /// - Parameters:
    ///   - tables: The tables; their features come with `transaction(_:)`.
    ///   - digest: What computes SHA-256.
    public convenience init(tables: [FeatureTable], digest: any ContentDigest) {
        let data = InMemoryMapData(tables: tables.map { InMemoryMapData.Table(description: $0) })
        self.init(data: data, storage: nil, readOnlyReason: nil, digest: digest)
    }

    init(data: InMemoryMapData, storage: Storage?, readOnlyReason: String?, digest: any ContentDigest) {
        self.storage = storage
        self.readOnlyReason = readOnlyReason
        self.digest = digest
        state = Mutex(State(data: data))
    }

    /// What is confirmed now.
    private func data() throws(MapPackageError) -> InMemoryMapData {
        guard let data = state.withLock({ $0.isClosed ? nil : $0.data }) else { throw Self.closed }
        return data
    }

    private static let closed = MapPackageError(
        code: .closed,
        subject: "package",
        message: "The project was closed; open it again."
    )

    /// Writes a file whole or not at all.
    static func write(_ data: InMemoryMapData, to storage: Storage) throws(MapPackageError) {
        // Beside the package: a file inside it would be published after a crash.
        let temporary = "\(storage.folder).\(storage.name).new"
        do {
            try storage.files.replace(storage.path, with: data.bytes, by: temporary, isPrivate: false)
        } catch {
            throw MapPackageError(error)
        }
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension InMemoryMapPackage: MapPackage {
    public func tables() throws(MapPackageError) -> [FeatureTable] {
        try data().tables.map(\.description).sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    public func featureCount(in table: String) throws(MapPackageError) -> Int {
        try data().table(table).features.count
    }

    public func feature(_ id: FeatureID, in table: String) throws(MapPackageError) -> MapFeature? {
        let table = try data().table(table)
        return table.index(of: id).map { table.features[$0] }
    }

    public func feature(withKey key: Int64, in table: String) throws(MapPackageError) -> MapFeature? {
        try data().table(table).features.first { $0.key == key }
    }

    public func readFeatures(
        in table: String,
        _ query: FeatureQuery,
        _ body: (MapFeature) throws(MapPackageError) -> Bool
    ) throws(MapPackageError) {
        let table = try data().table(table)
        for name in query.columns ?? [] { _ = try table.column(name) }
        for feature in table.features {
            if let after = query.afterKey, feature.key <= after { continue }
            if let bounds = query.bounds, !(feature.geometry?.bounds?.intersects(bounds) ?? false) { continue }
            var feature = feature
            if let columns = query.columns { feature.values = feature.values.filter { columns.contains($0.key) } }
            if !query.includesGeometry { feature.geometry = nil }
            guard try body(feature) else { return }
        }
    }

    public func readBounds(in table: String, _ body: (Int64, MapBounds) -> Void) throws(MapPackageError) {
        for feature in try data().table(table).features {
            if let bounds = feature.geometry?.bounds { body(feature.key, bounds) }
        }
    }

    public func transaction(_ body: (any MapPackageEdits) throws(MapPackageError) -> Void) throws(MapPackageError) {
        if let readOnlyReason {
            throw MapPackageError(code: .readOnly, subject: storage?.path ?? "package", message: readOnlyReason)
        }
        try state.withLock { (state) throws(MapPackageError) in
            if state.isClosed { throw Self.closed }
            let edits = InMemoryMapPackageEdits(state.data)
            try body(edits)
            if let storage { try Self.write(edits.data, to: storage) }
            state.data = edits.data
        }
    }

    public func readTexts(_ body: (PackagePlace, [UInt8]) -> Bool) throws(MapPackageError) {
        _ = try data().readTexts(in: storage?.name ?? "package", body)
    }

    public func contentDigest() throws(MapPackageError) -> String {
        digest.sha256Hex(try data().bytes)
    }

    public func copyDatabase(to path: String) throws(MapPackageError) {
        let data = try data()
        guard let storage else {
            throw MapPackageError(
                code: .storage,
                subject: path,
                message: "A package that is only in memory has no file to copy; open one from a folder."
            )
        }
        do {
            try storage.files.write(data.bytes, toNew: path, isPrivate: false)
        } catch {
            throw MapPackageError(error)
        }
    }

    public func close() {
        state.withLock { $0.isClosed = true }
    }
}

/// The changes of one transaction, in a copy that is thrown away when it fails.
private final class InMemoryMapPackageEdits: MapPackageEdits {
    var data: InMemoryMapData

    init(_ data: InMemoryMapData) {
        self.data = data
    }

    func update(_ values: [String: FeatureValue], of id: FeatureID, in table: String) throws(MapPackageError) {
        try change(id, in: table) { (feature, table) throws(MapPackageError) in
            for name in values.keys.sorted() {
                guard let value = values[name] else { continue }
                try table.check(value, for: table.column(name))
                feature.values[name] = value
            }
        }
    }

    func update(_ geometry: MapGeometry?, of id: FeatureID, in table: String) throws(MapPackageError) {
        try change(id, in: table) { (feature, _) throws(MapPackageError) in
            feature.geometry = geometry
            feature.geometryProblem = nil
        }
    }

    func insert(
        _ id: FeatureID,
        geometry: MapGeometry?,
        values: [String: FeatureValue],
        into name: String
    ) throws(MapPackageError) {
        let index = try data.index(of: name)
        let table = data.tables[index]
        guard table.hasIdentifiers, table.index(of: id) == nil else {
            throw MapPackageError(
                code: .refused,
                subject: "\(name)/\(id)",
                message: table.hasIdentifiers
                    ? "The table “\(name)” has a feature \(id) already; choose another identifier."
                    : "The table “\(name)” has no uuid column, so nothing can be added to it here."
            )
        }
        var feature = MapFeature(id: id, key: table.nextKey, values: [:], geometry: geometry)
        for column in table.description.columns where column.role == .attribute {
            let value = values[column.name] ?? .null
            try table.check(value, for: column)
            feature.values[column.name] = value
        }
        for column in values.keys { _ = try table.column(column) }
        data.tables[index].features.append(feature)
        data.tables[index].nextKey += 1
    }

    func delete(_ id: FeatureID, from name: String) throws(MapPackageError) {
        let index = try data.index(of: name)
        guard let feature = data.tables[index].index(of: id) else { throw InMemoryMapData.noFeature(id, in: name) }
        data.tables[index].features.remove(at: feature)
    }

    func createTable(
        _ name: String,
        columns: [FeatureColumn],
        geometryKind: MapGeometry.Kind?
    ) throws(MapPackageError) {
        let isName = !name.isEmpty && name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard isName, !data.tables.contains(where: { $0.description.name.lowercased() == name.lowercased() }) else {
            throw MapPackageError(
                code: .refused,
                subject: name,
                message: isName
                    ? "There is a table “\(name)” already; choose another name."
                    : "“\(name)” cannot be a table's name; choose another name."
            )
        }
        let keys = [
            FeatureColumn(name: "fid", type: .integer(bits: 64), role: .key),
            FeatureColumn(name: "geom", type: .geometry, role: .geometry),
            FeatureColumn(name: "uuid", type: .text(maximumLength: nil), role: .identifier),
        ]
        let table = FeatureTable(name: name, columns: keys + columns, geometryKind: geometryKind)
        data.tables.append(InMemoryMapData.Table(description: table))
    }

    private func change(
        _ id: FeatureID,
        in name: String,
        _ change: (inout MapFeature, InMemoryMapData.Table) throws(MapPackageError) -> Void
    ) throws(MapPackageError) {
        let index = try data.index(of: name)
        let table = data.tables[index]
        guard let feature = table.index(of: id) else { throw InMemoryMapData.noFeature(id, in: name) }
        try change(&data.tables[index].features[feature], table)
    }
}
