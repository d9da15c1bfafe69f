internal import LedWall
internal import MediaSync
internal import PresenceKit

extension CommandError {
    /// What an error of the packages means to somebody at the command line.
    init(wrapping error: any Error) {
        switch error {
        case let error as CommandError:
            self = error
        case is CancellationError:
            self.init(.interrupted, "interrupted")
        case let error as AudioLevelSourceError:
            self.init(error)
        case let error as MediaAPIError:
            self.init(error)
        case WallRendererError.output(let reason):
            self.init(.failed, reason)
        default:
            self.init(.failed, String(describing: error))
        }
    }

    private init(_ error: AudioLevelSourceError) {
        let code: Code =
            switch error.code {
            case .deviceMissing: .notFound
            case .captureEnded: .unavailable
            case .cancelled: .interrupted
            default: .failed
            }
        self.init(code, error.message)
    }
}
