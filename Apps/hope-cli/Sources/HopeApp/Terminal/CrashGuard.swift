internal import Glibc
internal import Synchronization

/// Writes a terminal's returning sequence when the process crashes.
///
/// A signal handler may only touch what was prepared before: an address, a length and a descriptor in atomics, and
/// `write`. This is the one place where process-wide state cannot be avoided, since signal handlers are process-wide.
enum CrashGuard {
    private static let address = Atomic<Int>(0)
    private static let count = Atomic<Int>(0)
    private static let descriptor = Atomic<Int32>(-1)

    static func arm(descriptor newDescriptor: Int32, sequence: [UInt8]) {
        disarm()
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: sequence.count, alignment: 1)
        copy.copyBytes(from: sequence)
        address.store(Int(bitPattern: copy.baseAddress), ordering: .releasing)
        count.store(sequence.count, ordering: .releasing)
        descriptor.store(newDescriptor, ordering: .sequentiallyConsistent)
        for fatal in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT] {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { signal in
                CrashGuard.writeSequence()
                raise(signal)
            }
            // Reset on entry, so that raising it again ends the process as it would have ended.
            action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_NODEFER
            sigaction(fatal, &action, nil)
        }
    }

    static func disarm() {
        descriptor.store(-1, ordering: .sequentiallyConsistent)
        let old = UnsafeMutableRawPointer(bitPattern: address.exchange(0, ordering: .acquiringAndReleasing))
        old?.deallocate()
    }

    private static func writeSequence() {
        let target = descriptor.exchange(-1, ordering: .sequentiallyConsistent)
        guard target >= 0, let bytes = UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)) else { return }
        _ = write(target, bytes, count.load(ordering: .acquiring))
    }
}
