import Foundation
import LedWall
import Testing

/// The lines of a file of reference values, split at the commas.
enum ReferenceFile {
    static func lines(of name: String) throws -> [[String]] {
        let url = try #require(Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: nil))
        let text = try String(contentsOf: url, encoding: .utf8)
        return text.split(separator: "\n").map { $0.split(separator: ",").map(String.init) }
    }

    static func numbers(_ fields: some Sequence<String>) throws -> [Double] {
        try fields.map { try #require(Double($0)) }
    }
}

/// A frame that was computed elsewhere.
struct ReferenceFrame: CustomTestStringConvertible {
    let grid: WallGrid
    let input: WallInput
    let opacity: [Double]
    let size: [Double]

    var testDescription: String { "\(grid.side) × \(grid.side), \(input.state), \(input.level), \(input.seconds) s" }

    static func all() throws -> [ReferenceFrame] {
        try ReferenceFile.lines(of: "frames.csv").map { fields in
            let side = try #require(Int(fields[0]))
            let state = try #require(WallState(rawValue: fields[1]))
            let numbers = try ReferenceFile.numbers(fields[2...])
            let values = numbers[2...]
            try #require(values.count == 2 * side * side)
            return ReferenceFrame(
                grid: WallGrid(side: side),
                input: WallInput(state: state, level: numbers[0], seconds: numbers[1]),
                opacity: stride(from: 2, to: numbers.count, by: 2).map { numbers[$0] },
                size: stride(from: 3, to: numbers.count, by: 2).map { numbers[$0] }
            )
        }
    }
}
