#if os(Linux) || os(macOS)
    import Foundation
    import PresenceKit
    import Synchronization

    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// A running capture program.
    final class CaptureProcess: Sendable {
        private struct State {
            var ending: String?
            var waiter: CheckedContinuation<String, Never>?
        }

        private let process: Process
        private let outputPipe = Pipe()
        private let errorPipe = Pipe()
        private let state = Mutex(State())

        /// The samples.
        let output: DescriptorFeed
        /// What it says.
        let errors: DescriptorFeed

        init(_ program: CaptureProgram, path: String) throws(AudioLevelSourceError) {
            output = DescriptorFeed(
                Descriptor(borrowing: outputPipe.fileHandleForReading.fileDescriptor, name: program.name)
            )
            errors = DescriptorFeed(
                Descriptor(borrowing: errorPipe.fileHandleForReading.fileDescriptor, name: program.name)
            )
            process = Process()
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = program.arguments
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = outputPipe
            process.standardError = errorPipe
            process.terminationHandler = { [weak self] process in
                let kind = process.terminationReason == .exit ? "status" : "signal"
                self?.ended("\(kind) \(process.terminationStatus)")
            }
            do {
                try process.run()
            } catch {
                throw AudioLevelSourceError(
                    .readFailed,
                    thing: program.name,
                    reason: "could not be started: \(error.localizedDescription)"
                )
            }
        }

        /// Kills the program and what it started; it keeps nothing that would be lost.
        func kill() {
            state.withLock { state in
                // A number of a process that has ended may belong to another one by now.
                guard state.ending == nil else { return }
                let number = process.processIdentifier
                #if canImport(Darwin)
                    if Darwin.kill(-number, SIGKILL) != 0 { _ = Darwin.kill(number, SIGKILL) }
                #elseif canImport(Glibc)
                    if Glibc.kill(-number, SIGKILL) != 0 { _ = Glibc.kill(number, SIGKILL) }
                #else
                    if Musl.kill(-number, SIGKILL) != 0 { _ = Musl.kill(number, SIGKILL) }
                #endif
            }
        }

        /// Waits until the program has ended and been reaped, and says how; kills it when the task is cancelled.
        func ending() async -> String {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let ending = state.withLock { state in
                        if state.ending == nil {
                            state.waiter = continuation
                        }
                        return state.ending
                    }
                    if let ending {
                        continuation.resume(returning: ending)
                    }
                }
            } onCancel: {
                kill()
            }
        }

        private func ended(_ ending: String) {
            let waiter = state.withLock { state in
                state.ending = ending
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume(returning: ending)
        }

        /// The end of what the program says until it closes its error output, cleaned for a terminal.
        func lastWords() async -> String {
            var tail: [UInt8] = []
            while let piece = try? await errors.next(), !piece.isEmpty {
                tail = Array((tail + piece).suffix(2_000))
            }
            let lines = String(decoding: tail, as: UTF8.self)
                .split(whereSeparator: \.isNewline)
                .map { $0.filter { !$0.unicodeScalars.contains { $0.properties.generalCategory == .control } } }
                .map { $0.trimmingCharacters(in: .whitespaces) }
                .filter { !$0.isEmpty }
            return lines.suffix(2).joined(separator: " ")
        }
    }
#endif
