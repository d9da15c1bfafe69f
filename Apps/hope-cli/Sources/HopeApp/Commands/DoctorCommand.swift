internal import HopeServer
internal import PresenceKit
internal import TransportCore
internal import TransportTLS

extension Command {
    /// `hope doctor`: whether a server can be used, step by step.
    public static func doctor() -> Command {
        let store = CommandOption(
            "pin",
            summary: "show the fingerprints of the server's certificate, and store the key's"
        )
        return Command(
            "doctor",
            summary: "find out whether a server can be used, and if not, why",
            discussion: [
                """
                Looks the name up, connects, sets TLS up with the pins, asks /healthz, gets a token, joins a room and waits for
                the agent. Each step says how long it took, and when it fails, what to do. The exit status is 0 only if all
                steps pass.
                """
            ],
            options: [.server, .pin, store, .json],
            examples: [
                CommandExample(
                    "hope doctor --server https://127.0.0.1:7443",
                    "a server without a pin yet: shows the one to store"
                ),
                CommandExample(
                    "hope doctor --server https://127.0.0.1:7443 --pin",
                    "trust the certificate that it shows now"
                ),
            ],
            action: { invocation, world in
                let settings = try world.loadSettings()
                guard let typed = invocation[.server] ?? settings.serverURL, typed != "embedded" else {
                    throw CommandError.badUsage(
                        "there is no server to look at: give one with --server",
                        see: invocation.path
                    )
                }
                var access = try ServerAccess(
                    typed,
                    pinned: invocation.all(.pin),
                    settings: settings,
                    clock: world.clock
                )
                if invocation.has(store) {
                    access = try await Self.trust(access, typed: typed, settings: settings, in: world)
                }
                let printsJSON = invocation.has(.json)
                let output = world.output
                let report = try await access.check(clock: world.clock).run { step in
                    guard !printsJSON else { return }
                    let time = step.milliseconds.map { "\($0) ms" } ?? "–"
                    // What cannot be printed now shows when the report ends.
                    try? output.line("\(step.isOK ? "✓" : "✗") \(step.name.rawValue)  \(time)  \(step.message)")
                    try? output.flush()
                }
                try Task.checkCancellation()
                if printsJSON { try output.line(Self.json(of: report).text) }
                if !report.isOK {
                    let failed = report.steps.first { !$0.isOK }
                    let isThere = failed.map { ![.name, .tcp].contains($0.name) } ?? true
                    throw CommandError(told: isThere ? .failed : .unavailable)
                }
            }
        )
    }

    private static func json(of report: ConnectionCheck.Report) -> JSONValue {
        let steps = report.steps.map { step -> JSONValue in
            [
                "name": .string(step.name.rawValue), "ok": .bool(step.isOK),
                "ms": step.milliseconds.map { .integer($0) } ?? .null, "message": .string(step.message),
            ]
        }
        return ["steps": .array(steps), "ok": .bool(report.isOK)]
    }

    /// Stores the pin of the key that the server shows, and gives access that has it.
    private static func trust(
        _ access: ServerAccess,
        typed: String,
        settings: Settings,
        in world: HopeWorld
    ) async throws -> ServerAccess {
        let report = try await access.check(clock: world.clock).run()
        guard let found = report.fingerprints else {
            throw CommandError(.unavailable, "\(access.server) shows no certificate: there is nothing to pin")
        }
        world.output.say("leaf: \(found.leaf)")
        world.output.say("spki: \(found.publicKey)  (stored)")
        let changed = StoredPins.storing(["spki:\(found.publicKey)"], for: access.server, in: settings)
        do {
            try world.settings.save(changed)
        } catch {
            throw CommandError(.failed, "\(error)")
        }
        return try ServerAccess(typed, settings: changed, clock: world.clock)
    }
}
