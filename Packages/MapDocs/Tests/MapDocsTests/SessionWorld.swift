import Foundation
import MapDocs
import Synchronization
import TransportCore

/// A store with one project, a device with its own folder, and everything that is injected, all in memory.
struct SessionWorld: Sendable {
    let memory: InMemoryFileSystem
    /// The file system that the device works on: `memory`, or one with faults above it.
    let files: any FileSystem
    let store: InMemoryDocumentStore
    let digest = QuickDigest()
    let name: DocumentName
    let source: DocumentSource
    private let counter: Counter

    final class Counter: Sendable {
        private let value = Mutex(0)
        func next() -> Int {
            value.withLock {
                $0 += 1
                return $0
            }
        }
    }

    /// 2026-11-29 14:03:45 UTC.
    static let now = 1_795_961_025.0

    static let tables = [
        FeatureTable(name: "wells", columns: wellColumns, geometryKind: .point),
        FeatureTable(
            name: "parcels",
            columns: keys + [FeatureColumn(name: "zone", type: .text(maximumLength: 20))],
            geometryKind: .polygon
        ),
    ]

    private static let keys = [
        FeatureColumn(name: "fid", type: .integer(bits: 64), role: .key),
        FeatureColumn(name: "geom", type: .geometry, role: .geometry),
        FeatureColumn(name: "uuid", type: .text(maximumLength: nil), role: .identifier),
    ]

    static let wellColumns =
        keys + [
            FeatureColumn(name: "name", label: "Name", type: .text(maximumLength: 255)),
            FeatureColumn(name: "depth", label: "Depth", type: .integer(bits: 64)),
            FeatureColumn(name: "seen", label: "Seen", type: .dateTime),
            FeatureColumn(name: "memo", label: "Memo", type: .text(maximumLength: nil)),
        ]

    static func project(readOnly: Bool = false) -> String {
        #"""
        {"format":"gispad","version":\#(readOnly ? 2 : 1),"id":"p1","name":"Harbour","x_other":{"kept":[1.50]},
         "basemap":"standard",
         "layers":[{"id":"parcels","table":"parcels","name":"Parcels","geometry":"polygon","locked":true},
                   {"id":"wells","table":"wells","name":"Wells","geometry":"point","x_layer":true}],
         "bookmarks":[{"id":"dock","name":"Dock","camera":{"center":[1,2],"zoom":3}}],
         "revision":{"number":5}}
        """#
    }

    init(memory: InMemoryFileSystem = InMemoryFileSystem(), files: (any FileSystem)? = nil) throws {
        self.memory = memory
        self.files = files ?? memory
        try memory.createDirectory("/home")
        try memory.synchronize("/")
        store = InMemoryDocumentStore(digest: digest)
        name = try DocumentName(title: "Harbour")
        source = DocumentSource(store: "memory:", name: name)
        counter = Counter()
    }

    /// The same device and store with other faults below the device.
    init(_ world: SessionWorld, files: any FileSystem) {
        memory = world.memory
        self.files = files
        store = world.store
        name = world.name
        source = world.source
        counter = world.counter
    }

    var format: InMemoryMapPackageFormat { InMemoryMapPackageFormat(files: files, digest: digest) }

    func copies(device: String = "Phone") -> WorkingCopies {
        WorkingCopies(
            home: "/home",
            files: files,
            format: format,
            digest: digest,
            device: device,
            now: { Self.now },
            makeID: { [counter] in "id-\(counter.next())" }
        )
    }

    func publisher(_ secrets: [String: String] = [:]) -> DocumentPublisher {
        DocumentPublisher(copies: copies(), secrets: InMemorySecretStore(secrets), timeZone: .gmt)
    }

    /// The files of the project as they are before anybody edits, with changes on top.
    func package(
        project: String = Self.project(),
        others: [String: [UInt8]] = ["notes.txt": Array("by hand".utf8)],
        _ change: (any MapPackageEdits) throws(MapPackageError) -> Void = { _ in }
    ) throws -> InMemoryDocumentContents {
        let elsewhere = InMemoryFileSystem()
        try elsewhere.createDirectory("/made")
        let format = InMemoryMapPackageFormat(files: elsewhere, digest: digest)
        let package = try format.create(in: "/made", tables: Self.tables)
        try package.transaction { (edits) throws(MapPackageError) in
            for (index, title) in ["North", "South", "East"].enumerated() {
                try edits.insert(
                    FeatureID("w\(index + 1)"),
                    geometry: .point(MapPosition(longitude: Double(index), latitude: 1)),
                    values: ["name": .text(title), "depth": .integer(10), "seen": .null, "memo": .text("")],
                    into: "wells"
                )
            }
            try edits.insert(
                FeatureID("p1"),
                geometry: .polygon([
                    [(0, 0), (2, 0), (2, 2), (0, 0)].map { MapPosition(longitude: $0.0, latitude: $0.1) }
                ]),
                values: ["zone": .text("R1")],
                into: "parcels"
            )
            try change(edits)
        }
        var bytes = others
        bytes["project.json"] = Array(project.utf8)
        bytes["data.json"] = try Self.bytes("/made/data.json", in: elsewhere)
        return try InMemoryDocumentContents(bytes, digest: digest)
    }

    static func bytes(_ path: String, in files: any FileSystem) throws -> [UInt8] {
        let file = try files.openForReading(path)
        defer { file.close() }
        var bytes: [UInt8] = []
        while true {
            let chunk = try file.read(from: bytes.count, count: 1 << 20)
            if chunk.isEmpty { return bytes }
            bytes += chunk
        }
    }

    /// Puts a revision into the store, over whatever it has.
    @discardableResult
    func put(_ contents: InMemoryDocumentContents, number: Int) async throws -> DocumentRevision {
        let revision = DocumentRevision(
            number: number,
            fingerprint: try DocumentFingerprint(of: contents.files, digest: digest),
            publishedAt: 1,
            publishedBy: "Desk"
        )
        let current = try? await store.currentRevision(of: name)
        let outcome = try await store.publish(
            StagedDocument(revision: revision, contents: contents),
            as: name,
            replacing: current.map { .revision($0) } ?? .nothing
        )
        guard case .published = outcome else { throw Unexpected() }
        return revision
    }

    struct Unexpected: Error {}

    /// A world whose store has the project at revision 5.
    static func withProject(_ project: String? = nil) async throws -> SessionWorld {
        let world = try SessionWorld()
        try await world.put(project.map { try world.package(project: $0) } ?? ordinary.get(), number: 5)
        return world
    }

    /// Made once: some tests need it hundreds of times.
    private static let ordinary = Result { try SessionWorld().package() }

    func open() async throws -> EditSession {
        try await copies().open(source, from: store)
    }

    /// What the store has, opened.
    func published(_ name: DocumentName? = nil) async throws -> (
        project: MapProject, package: any MapPackage, files: [String: [UInt8]]
    ) {
        let destination = InMemoryDocumentDestination()
        _ = try await store.fetch(name ?? self.name, into: destination) { _ in }
        let files = destination.package ?? [:]
        let elsewhere = InMemoryFileSystem()
        try elsewhere.createDirectory("/read")
        let file = try elsewhere.create("/read/data.json", isPrivate: false)
        try file.write(files["data.json"] ?? [])
        try file.close()
        return (
            try MapProject(parsing: files["project.json"] ?? []),
            try InMemoryMapPackageFormat(files: elsewhere, digest: digest).open("/read", for: .reading),
            files
        )
    }

    static func well(_ number: Int, _ values: [String: FeatureValue]) -> UpdateProperties {
        UpdateProperties(layer: "wells", feature: FeatureID("w\(number)"), values: values)
    }

    static func place(_ longitude: Double, _ latitude: Double) throws -> MapCoordinate {
        try MapCoordinate(latitude: latitude, longitude: longitude)
    }
}

/// What a call throws, by its code.
func sessionCode(_ body: () async throws -> Void) async -> MapSessionError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? MapSessionError)?.code
    }
}

/// A digest that is quick without optimisation; nobody here tries to make two texts with the same one.
struct QuickDigest: ContentDigest {
    private struct QuickHasher: ContentHasher {
        var state: UInt64 = 0xCBF2_9CE4_8422_2325

        mutating func update(_ bytes: [UInt8]) {
            var state = state
            bytes.withUnsafeBufferPointer { for byte in $0 { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 } }
            self.state = state
        }

        mutating func finalize() -> [UInt8] {
            var random = SeededRandom(seed: state)
            return (0..<4).flatMap { _ in withUnsafeBytes(of: random.next().bigEndian) { Array($0) } }
        }
    }

    func makeHasher() -> any ContentHasher { QuickHasher() }
}
