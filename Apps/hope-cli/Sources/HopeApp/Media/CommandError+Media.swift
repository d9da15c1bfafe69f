internal import MediaSync

extension CommandError {
    /// What a failed call of the media server means to somebody at the command line.
    init(_ error: MediaAPIError) {
        let code: Code =
            switch error.code {
            case .invalid: .usage
            case .noAnswer: .unavailable
            case .cancelled: .interrupted
            case .refused where error.status == 404: .notFound
            case .refused, .notJSON, .unexpected: .failed
            }
        self.init(code, error.message)
    }
}
