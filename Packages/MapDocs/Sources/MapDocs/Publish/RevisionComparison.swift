/// What changed in the store and what changed here since the base, in words; it decides and merges nothing.
public struct RevisionComparison: Hashable, Sendable {
    /// One thing that both sides touched.
    public struct Overlap: Hashable, Sendable {
        /// What was done here.
        public let ours: PendingChange
        /// What was done there.
        public let theirs: PendingChange
        /// Whether both made the same change.
        public let isSame: Bool

        /// Both changes in words.
        public var words: String {
            isSame ? "Both made the same change: \(ours.words)" : "There: \(theirs.words). Here: \(ours.words)"
        }
    }

    /// The most changes of the other side that are listed.
    public static let mostChanges = 1_000

    /// What changed there, at most `mostChanges`.
    public let theirs: [PendingChange]
    /// How many more changed there.
    public let omittedTheirs: Int
    /// What changed here.
    public let ours: [PendingChange]
    /// What both touched.
    public let both: [Overlap]
}

/// Compares what a store has with a working copy and its base.
struct RevisionComparer {
    private static let pageSize = 256

    private let working: WorkingState
    private let originals: FeatureOriginals
    private let ours: [PendingChange]
    private let theirs: WorkingCopies.FetchedPackage
    private let package: any MapPackage
    private let databaseName: String
    private var changes: [PendingChange] = []
    private var omitted = 0

    init(
        _ basis: EditSession.Basis,
        with theirs: WorkingCopies.FetchedPackage,
        package: any MapPackage,
        databaseName: String
    ) {
        working = basis.working
        originals = basis.working.record.effectiveOriginals
        ours = basis.changes
        self.theirs = theirs
        self.package = package
        self.databaseName = databaseName
    }

    /// Whether what is there has the same data as the base, however its bytes lie.
    static func isSameContent(_ base: SessionRecord.Base, _ theirs: WorkingCopies.FetchedPackage, _ database: String)
        -> Bool
    {
        func others(_ files: [PublishedFile]) -> [PublishedFile] { files.filter { $0.path != database } }
        guard let digest = base.contentDigest, digest == theirs.contentDigest else { return false }
        return others(base.files) == others(theirs.files)
    }

    mutating func compare() throws -> RevisionComparison {
        let base = working.record.base
        let projectChanges = base.project.changes(to: theirs.project)
        for change in projectChanges { add(change) }
        if projectChanges.isEmpty, base.project.canonicalContent != theirs.project.canonicalContent {
            add(PendingChange(.projectChanged, subject: "The project", item: "project"))
        }
        let before = changes.count
        for table in try package.tables() where working.tables[table.name] != nil { try compare(table) }
        let isDatabaseTold = changes.count > before
        compareFiles(isDatabaseTold: isDatabaseTold)
        return RevisionComparison(
            theirs: changes,
            omittedTheirs: omitted,
            ours: ours,
            both: try overlaps(projectChanges)
        )
    }

    private mutating func add(_ change: PendingChange) {
        if changes.count < RevisionComparison.mostChanges { changes.append(change) } else { omitted += 1 }
    }

    // MARK: Features

    /// Reads features of a table in the order of their keys.
    private struct Pages {
        let package: any MapPackage
        let table: String
        private var page: ArraySlice<MapFeature> = []
        private var last: Int64?
        private var isOver = false

        init(_ package: any MapPackage, _ table: String) {
            self.package = package
            self.table = table
        }

        mutating func next() throws(MapPackageError) -> MapFeature? {
            if page.isEmpty, !isOver {
                var features: [MapFeature] = []
                try package.readFeatures(in: table, FeatureQuery(afterKey: last)) {
                    (feature) throws(MapPackageError) in
                    features.append(feature)
                    return features.count < RevisionComparer.pageSize
                }
                isOver = features.count < RevisionComparer.pageSize
                last = features.last?.key
                page = features[...]
            }
            return page.popFirst()
        }
    }

    private mutating func compare(_ table: FeatureTable) throws {
        var here = Pages(working.package, table.name)
        var there = Pages(package, table.name)
        var mine = try here.next()
        var other = try there.next()
        while mine != nil || other != nil {
            try Task.checkCancellation()
            let isMineFirst = other.map { other in mine.map { $0.key <= other.key } ?? false } ?? true
            let isOtherFirst = mine.map { mine in other.map { $0.key <= mine.key } ?? false } ?? true
            if let feature = mine, let counterpart = other, feature.key == counterpart.key,
                feature.id == counterpart.id
            {
                addDifference(base(feature, feature.id, table), counterpart, table)
                mine = try here.next()
                other = try there.next()
                continue
            }
            if isMineFirst, let feature = mine {
                // A key can stand for another feature there; identifiers tell.
                let counterpart = try package.feature(feature.id, in: table.name)
                if let before = base(feature, feature.id, table) { addDifference(before, counterpart, table) }
                mine = try here.next()
            }
            if isOtherFirst, let feature = other {
                if try working.package.feature(feature.id, in: table.name) == nil {
                    addDifference(base(nil, feature.id, table), feature, table)
                }
                other = try there.next()
            }
        }
        // What was deleted on both sides is in neither table.
        for key in originals.keys where key.table == table.name {
            guard try working.package.feature(key.feature, in: table.name) == nil,
                try package.feature(key.feature, in: table.name) == nil
            else { continue }
            addDifference(base(nil, key.feature, table), nil, table)
        }
    }

    private func base(_ present: MapFeature?, _ id: FeatureID, _ table: FeatureTable) -> MapFeature? {
        originals.base(of: present, FeatureKey(table: table.name, feature: id))
    }

    private mutating func addDifference(_ base: MapFeature?, _ other: MapFeature?, _ table: FeatureTable) {
        for change in difference(base, other, table) { add(change) }
    }

    private func difference(_ base: MapFeature?, _ other: MapFeature?, _ table: FeatureTable) -> [PendingChange] {
        let layer = theirs.project.layers.first { $0.table == table.name } ?? working.layer(ofTable: table.name)
        return FeatureDifference.changes(from: base, to: other, in: table, of: layer)
    }

    // MARK: Files

    private mutating func compareFiles(isDatabaseTold: Bool) {
        let base = working.record.base
        let paths = Set(base.files.map(\.path) + theirs.files.map(\.path)).sorted {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
        for path in paths where path != PublishedFile.projectPath {
            let before = base.files.first { $0.path == path }
            let after = theirs.files.first { $0.path == path }
            guard before != after else { continue }
            if path == databaseName {
                let isSame = base.contentDigest != nil && base.contentDigest == theirs.contentDigest
                if isDatabaseTold || isSame { continue }
            }
            add(PendingChange(.fileChanged, subject: path, item: "file/\(path)"))
        }
    }

    // MARK: Both

    private func overlaps(_ projectChanges: [PendingChange]) throws -> [RevisionComparison.Overlap] {
        var cached: [FeatureID: [PendingChange]] = [:]
        var overlaps: [RevisionComparison.Overlap] = []
        for change in ours {
            var candidates = projectChanges
            if let id = change.feature, let layer = change.layer.flatMap({ working.project.layer($0) }) {
                if cached[id] == nil { cached[id] = try theirChanges(of: id, in: layer.table) }
                candidates = cached[id] ?? []
            }
            guard let theirs = candidates.first(where: { Self.touchSame(change.item, $0.item) }) else { continue }
            overlaps.append(
                RevisionComparison.Overlap(
                    ours: change,
                    theirs: theirs,
                    isSame: change.item == theirs.item && change.kind == theirs.kind
                        && Self.areAlike(change.to, theirs.to)
                )
            )
        }
        return overlaps
    }

    /// What was done there to one feature since the base, listed or not.
    private func theirChanges(of id: FeatureID, in name: String) throws(MapPackageError) -> [PendingChange] {
        guard let table = working.tables[name],
            try package.tables().contains(where: { $0.name == name })
        else { return [] }
        let base = base(try working.package.feature(id, in: name), id, table)
        let other = try package.feature(id, in: name)
        return base == nil && other == nil ? [] : difference(base, other, table)
    }

    /// Whether two changes are of the same thing, or one of the whole and the other of a part of it.
    private static func touchSame(_ first: String, _ second: String) -> Bool {
        first == second || first.hasPrefix("\(second)/") || second.hasPrefix("\(first)/")
    }

    private static func areAlike(_ first: FeatureValue?, _ second: FeatureValue?) -> Bool {
        guard let first, let second else { return first == nil && second == nil }
        return first.isStored(like: second)
    }
}
