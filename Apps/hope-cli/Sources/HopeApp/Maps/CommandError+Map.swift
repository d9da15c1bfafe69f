internal import MapDocs

extension CommandError {
    init(_ error: MapSessionError) {
        let code: Code =
            switch error.code {
            case .noLayer, .noFeature, .noBookmark, .noWorkingCopy, .store(.notFound): .notFound
            case .invalid, .store(.invalidName), .store(.invalidPath): .usage
            case .store(.unavailable), .store(.revisionUnknown), .store(.storage): .unavailable
            case .cancelled, .store(.cancelled): .interrupted
            case .inUse, .locked, .lossesChanged, .publishing, .unfit, .damaged, .full, .closed, .storage,
                .store(.damaged):
                .failed
            }
        self.init(code, error.message)
    }

    init(_ error: DocumentStoreError) {
        self.init(MapSessionError(code: .store(error.code), subject: error.subject, message: error.message))
    }

    /// The error that a command ends with when something of a map project fails.
    static func wrapping(map error: any Error) -> CommandError {
        switch error {
        case let error as CommandError: error
        case let error as MapSessionError: CommandError(error)
        case let error as DocumentStoreError: CommandError(error)
        case let error as MapPackageError:
            CommandError([.noDatabase, .noTable, .noFeature].contains(error.code) ? .notFound : .failed, error.message)
        case let error as FileSystemError:
            CommandError(error.code == .notFound ? .notFound : .failed, error.message)
        case let error as MapValueError: CommandError(.usage, error.message)
        case is CancellationError: CommandError(.interrupted, "interrupted")
        default: CommandError(.failed, "\(error)")
        }
    }
}
