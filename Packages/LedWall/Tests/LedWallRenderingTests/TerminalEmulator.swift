/// A strict little terminal: understands what a wall may send and notes everything else as a fault.
struct TerminalEmulator {
    struct Cell: Hashable {
        var text = " "
        var foreground = "default"
        var background = "default"
    }

    let columns: Int
    let rows: Int
    private(set) var cells: [Cell]
    private(set) var faults: [String] = []
    private(set) var isAlternate = false
    private(set) var isCursorShown = true
    private(set) var isSynchronised = false
    private(set) var wraps = true
    private var row = 0
    private var column = 0
    private var pen = Cell()

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        cells = Array(repeating: Cell(), count: columns * rows)
    }

    subscript(row: Int, column: Int) -> Cell { cells[row * columns + column] }

    var hasPlainPen: Bool { pen == Cell() }

    /// The text of a row without the blanks around it.
    func text(ofRow row: Int) -> String {
        let line = (0..<columns).map { self[row, $0].text }.joined()
        return String(line.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    mutating func feed(_ bytes: [UInt8]) {
        var rest = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if scalar == "\u{1B}" {
                guard rest.popFirst() == "[" else { return fault("an escape that is not CSI") }
                var parameters = ""
                while let next = rest.first, "0123456789;?".unicodeScalars.contains(next) {
                    parameters.unicodeScalars.append(next)
                    rest.removeFirst()
                }
                guard let final = rest.popFirst() else { return fault("a sequence without an end") }
                run(parameters, String(final))
            } else if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) {
                fault("control character \(scalar.value)")
            } else {
                put(String(scalar))
            }
        }
    }

    private mutating func fault(_ text: String) { faults.append(text) }

    private mutating func put(_ text: String) {
        guard column < columns else { return fault("wrote past the right edge in row \(row)") }
        var cell = pen
        cell.text = text
        cells[row * columns + column] = cell
        column += 1
    }

    private mutating func run(_ parameters: String, _ final: String) {
        let numbers = parameters.split(separator: ";").compactMap { Int($0) }
        switch (final, parameters) {
        case ("H", _) where numbers.count == 2:
            guard (1...rows).contains(numbers[0]), (1...columns).contains(numbers[1]) else {
                return fault("moved to \(parameters) outside of \(columns) × \(rows)")
            }
            (row, column) = (numbers[0] - 1, numbers[1] - 1)
        case ("J", "2"): cells = cells.map { _ in blank }
        case ("K", "2"): for column in 0..<columns { cells[row * columns + column] = blank }
        case ("m", _): setPen(numbers)
        case ("h", "?2026"): isSynchronised = true
        case ("l", "?2026"): isSynchronised = false
        case ("h", "?1049"): isAlternate = true
        case ("l", "?1049"): isAlternate = false
        case ("h", "?25"): isCursorShown = true
        case ("l", "?25"): isCursorShown = false
        case ("h", "?7"): wraps = true
        case ("l", "?7"): wraps = false
        default: fault("unknown sequence \(parameters)\(final)")
        }
    }

    private var blank: Cell { Cell(text: " ", foreground: "default", background: pen.background) }

    private mutating func setPen(_ numbers: [Int]) {
        var rest = numbers[...]
        while let code = rest.popFirst() {
            switch code {
            case 0: pen = Cell()
            case 30...37, 90...97: pen.foreground = "\(code < 90 ? code - 30 : code - 82)"
            case 40...47, 100...107: pen.background = "\(code < 100 ? code - 40 : code - 92)"
            case 39: pen.foreground = "default"
            case 49: pen.background = "default"
            case 38, 48:
                let count = rest.popFirst() == 2 ? 3 : 1
                let color = rest.prefix(count).map(String.init).joined(separator: ",")
                rest = rest.dropFirst(count)
                if code == 38 { pen.foreground = color } else { pen.background = color }
            default: fault("unknown colour \(code)")
            }
        }
    }
}
