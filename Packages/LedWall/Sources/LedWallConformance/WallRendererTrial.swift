import LedWall

/// One run of a renderer: draws pictures and notes what should not have happened.
struct WallRendererTrial {
    private let subject: WallRendererSubject
    private(set) var violations: [String] = []

    init(_ subject: WallRendererSubject) { self.subject = subject }

    var output: [UInt8] { subject.output() }

    mutating func note(_ violation: String) { violations.append(violation) }

    /// Draws a picture that must be taken.
    mutating func draw(_ state: WallState, at seconds: Double, side: Int = 21, status: String = "") {
        if let error = result(state, at: seconds, side: side, status: status) {
            note("drawing \(state.rawValue) at \(seconds) s on \(side) × \(side) dots threw \(error)")
        }
    }

    /// Draws a picture and returns the error, if any.
    func result(
        _ state: WallState,
        at seconds: Double,
        side: Int = 21,
        status: String = ""
    ) -> WallRendererError? {
        result(Self.picture(state, at: seconds, side: side), status: status)
    }

    mutating func expect(_ expected: WallRendererError, from found: WallRendererError?, of what: String) {
        guard found != expected else { return }
        note(found.map { "\(what) threw \($0)" } ?? "\(what) was taken")
    }

    mutating func finish() {
        do {
            try subject.renderer.finish()
        } catch {
            note("finishing threw \(error)")
        }
    }

    mutating func drawClip() {
        for (index, state) in WallState.allCases.enumerated() {
            draw(state, at: Double(index) / 2, status: state.rawValue)
        }
        finish()
    }

    mutating func drawExtremes() {
        let numbers: [Float] = [0, 1, -1, 7, .greatestFiniteMagnitude, .infinity, -.infinity, .nan]
        for (index, number) in numbers.enumerated() {
            var picture = Self.picture(.speaking, at: Double(index), side: 21)
            picture.frame = WallFrame(side: 21, opacity: number, size: number)
            picture.glowRadius = Double(number)
            if let error = result(picture) { note("a picture full of \(number) threw \(error)") }
        }
    }

    mutating func drawWords() {
        // Bell, a screen clear, a title, C1's CSI, a reversal: none of these may come through. The words around them are
        // long enough not to stand in a compressed picture by chance.
        let hostile = ["\u{7}", "\u{1B}[2J", "\u{1B}]0;title\u{7}", "\u{9B}31m", "\u{202E}", "\n", "\r", "\u{0}"]
        for (index, control) in hostile.enumerated() {
            let start = output.count
            let words = "before\(control)after"
            draw(.speaking, at: Double(index), status: words)
            if Self.contains(output.dropFirst(start), Array(words.utf8)) {
                note("the words \(words.debugDescription) came through")
            }
        }
        draw(.speaking, at: 100, status: String(repeating: "long ", count: 20_000))
        if output.count > 1_000_000 { note("a line of 100,000 characters was put out whole") }
    }

    mutating func drawBroken() {
        guard let breakOutput = subject.breakOutput else { return }
        draw(.idle, at: 0)
        breakOutput(true)
        switch result(.speaking, at: 1) {
        case .output(let reason)?: if reason.isEmpty { note("a broken output was reported without a reason") }
        case let error?: note("a broken output was reported as \(error)")
        case nil: note("a broken output was not reported")
        }
        breakOutput(false)
        let before = output.count
        draw(.speaking, at: 2)
        if output.count == before { note("after a failure the next picture put out nothing") }
        finish()
    }

    mutating func drawConcurrently() async {
        let subject = subject
        let errors = await withTaskGroup(of: WallRendererError?.self, returning: [WallRendererError].self) { group in
            for index in 0..<8 {
                group.addTask {
                    Self.result(subject, Self.picture(.speaking, at: Double(index), side: 21), status: "")
                }
            }
            return await group.reduce(into: []) { if let error = $1 { $0.append(error) } }
        }
        for error in errors {
            if case .timeWentBack = error { continue }
            note("one of several concurrent calls threw \(error)")
        }
        draw(.idle, at: 8)
        finish()
    }

    private func result(_ picture: WallPicture, status: String = "") -> WallRendererError? {
        Self.result(subject, picture, status: status)
    }

    private static func result(
        _ subject: WallRendererSubject,
        _ picture: WallPicture,
        status: String
    ) -> WallRendererError? {
        do {
            try subject.renderer.draw(picture, status: status)
            return nil
        } catch {
            return error
        }
    }

    private static func picture(_ state: WallState, at seconds: Double, side: Int) -> WallPicture {
        WallPicture(settled: WallInput(state: state, level: 0.8, seconds: seconds), grid: WallGrid(side: side))
    }

    private static func contains(_ text: ArraySlice<UInt8>, _ part: [UInt8]) -> Bool {
        guard text.count >= part.count else { return false }
        return (text.startIndex...(text.endIndex - part.count)).contains { text[$0...].starts(with: part) }
    }
}
