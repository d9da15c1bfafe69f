import Foundation
import Testing

/// A table of comma-separated reference values that another program computed.
struct ReferenceTable {
    let rows: [[String]]

    init(_ name: String) throws {
        let url = try #require(Bundle.module.url(forResource: name, withExtension: "csv", subdirectory: "Fixtures"))
        rows = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").dropFirst()
            .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    }
}
