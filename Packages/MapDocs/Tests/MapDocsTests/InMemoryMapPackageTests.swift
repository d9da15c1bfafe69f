import MapDocs
import Testing
import TransportCore

struct InMemoryMapPackageTests {
    private let package = InMemoryMapPackage(
        tables: [
            FeatureTable(
                name: "wells",
                columns: [
                    FeatureColumn(name: "fid", type: .integer(bits: 64), role: .key),
                    FeatureColumn(name: "geom", type: .geometry, role: .geometry),
                    FeatureColumn(name: "uuid", type: .text(maximumLength: nil), role: .identifier),
                    FeatureColumn(name: "depth", type: .double),
                    FeatureColumn(name: "name", type: .text(maximumLength: nil), isRequired: true),
                ],
                geometryKind: .point
            )
        ],
        digest: SoftwareContentDigest()
    )

    private func point(_ longitude: Double, _ latitude: Double) -> MapGeometry {
        .point(MapPosition(longitude: longitude, latitude: latitude))
    }

    private func fill() throws {
        try package.transaction { (edits) throws(MapPackageError) in
            for (index, name) in ["North", "South", "East"].enumerated() {
                let values: [String: FeatureValue] = ["name": .text(name)]
                try edits.insert(
                    FeatureID("w\(index)"),
                    geometry: point(Double(index), 0),
                    values: values,
                    into: "wells"
                )
            }
        }
    }

    @Test("Features are read in the order of their keys, within a box and behind a key")
    func queries() throws {
        try fill()
        func names(_ query: FeatureQuery) throws -> [String] {
            var names: [String] = []
            try package.readFeatures(in: "wells", query) { (feature) throws(MapPackageError) in
                names.append(feature.id.text)
                return names.count < 3
            }
            return names
        }
        #expect(try names(FeatureQuery()) == ["w0", "w1", "w2"])
        #expect(try names(FeatureQuery(bounds: MapBounds(west: 0.5, south: -1, east: 2, north: 1))) == ["w1", "w2"])
        #expect(try names(FeatureQuery(afterKey: 2)) == ["w2"])
        #expect(try package.featureCount(in: "wells") == 3)
        #expect(try package.feature(withKey: 2, in: "wells")?.id == FeatureID("w1"))
    }

    @Test("A transaction that fails has not happened")
    func rollsBack() throws {
        try fill()
        #expect {
            try package.transaction { (edits) throws(MapPackageError) in
                try edits.delete(FeatureID("w0"), from: "wells")
                try edits.update(["name": .null], of: FeatureID("w1"), in: "wells")
            }
        } throws: { ($0 as? MapPackageError)?.code == .refused }
        #expect(try package.featureCount(in: "wells") == 3)
    }

    @Test("Failures say what they are about")
    func failures() throws {
        try fill()
        func code(_ body: (any MapPackageEdits) throws(MapPackageError) -> Void) -> MapPackageError.Code? {
            do {
                try package.transaction(body)
                return nil
            } catch {
                return error.code
            }
        }
        let first = FeatureID("w0")
        #expect(code { (edits) throws(MapPackageError) in try edits.delete(first, from: "lakes") } == .noTable)
        #expect(
            code { (edits) throws(MapPackageError) in try edits.delete(FeatureID("w9"), from: "wells") } == .noFeature
        )
        #expect(
            code { (edits) throws(MapPackageError) in try edits.update(["uuid": .null], of: first, in: "wells") }
                == .noColumn
        )
        #expect(
            code { (edits) throws(MapPackageError) in
                try edits.insert(first, geometry: nil, values: ["name": .text("")], into: "wells")
            } == .refused
        )
        #expect(
            code { (edits) throws(MapPackageError) in try edits.createTable("Wells", columns: [], geometryKind: nil) }
                == .refused
        )
        package.close()
        #expect(code { _ in } == .closed)
    }

    @Test("The content digest follows the data")
    func contentDigest() throws {
        try fill()
        let before = try package.contentDigest()
        func rename(_ name: String) throws {
            try package.transaction { (edits) throws(MapPackageError) in
                try edits.update(["name": .text(name)], of: FeatureID("w0"), in: "wells")
            }
        }
        try rename("Norte")
        #expect(try package.contentDigest() != before)
        try rename("North")
        #expect(try package.contentDigest() == before)
    }
}
