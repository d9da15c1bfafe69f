import TransportCore

/// The present state of a working copy beside what it was at its base.
struct WorkingState: Sendable {
    var record: SessionRecord
    var project: MapProject
    let package: any MapPackage
    private(set) var tables: [String: FeatureTable] = [:]

    /// Reads the present state; the package is closed again when that fails.
    init(_ record: SessionRecord, at place: WorkingCopyPlace, _ copies: WorkingCopies) throws {
        let folder = place.package(record)
        let path = "\(folder)/\(PublishedFile.projectPath)"
        project = try MapProject(parsing: try copies.files.contents(of: path))
        self.record = record
        // For editing even to look at it: what is confirmed may still be in the database's log.
        package = try copies.format.open(folder, for: project.readOnlyReason == nil ? .editing : .reading)
        do {
            try readTables()
        } catch {
            package.close()
            throw error
        }
    }

    mutating func readTables() throws(MapPackageError) {
        tables = Dictionary(try package.tables().map { ($0.name, $0) }) { first, _ in first }
    }

    /// The layer of a table: the first in the project, or one that stands for it.
    func layer(ofTable table: String) -> MapLayer {
        project.layers.first { $0.table == table } ?? record.base.project.layers.first { $0.table == table }
            ?? MapLayer(id: table, table: table, name: table)
    }

    /// What was changed about the project; a layer that was made for notes counts through its notes.
    var projectChanges: [PendingChange] {
        record.base.project.changes(to: project).filter { change in
            change.kind != .layerAdded || project.layer(change.layer ?? "")?.role != .markup
        }
    }

    func changes(of key: FeatureKey, _ originals: FeatureOriginals) throws(MapPackageError) -> [PendingChange] {
        guard let table = tables[key.table] else { return [] }
        let present = try package.feature(key.feature, in: key.table)
        return FeatureDifference.changes(
            from: originals.base(of: present, key),
            to: present,
            in: table,
            of: layer(ofTable: key.table)
        )
    }

    /// The net changes of every feature that was touched.
    func featureChanges() throws(MapPackageError) -> [FeatureKey: [PendingChange]] {
        let originals = record.effectiveOriginals
        var changes: [FeatureKey: [PendingChange]] = [:]
        for key in originals.keys { changes[key] = try self.changes(of: key, originals) }
        return changes
    }

    /// All net changes: the project's, then those of features by layer and in the order in which they were touched.
    func pendingChanges(_ features: [FeatureKey: [PendingChange]]) -> [PendingChange] {
        var order: [String: Int] = [:]
        for (index, layer) in project.layers.enumerated() where order[layer.table] == nil {
            order[layer.table] = index
        }
        let keys = record.effectiveOriginals.keys.enumerated().sorted { first, second in
            let ranks = [first, second].map { order[$0.element.table] ?? .max }
            return (ranks[0], first.offset) < (ranks[1], second.offset)
        }
        return projectChanges + keys.flatMap { features[$0.element] ?? [] }
    }
}
