public import TransportCore

/// Why the person cannot be heard although the conversation goes on.
public enum MicrophoneError: Error, Hashable, Sendable {
    /// The source of the audio failed.
    case source(AudioLevelSourceError)
    /// The source opened, but gave nothing within this time.
    case silent(after: Duration)
    /// The room did not take the microphone.
    case room(TransportError)

    /// A sentence for the person: what is wrong and the way out.
    public var message: String {
        switch self {
        case .source(let error): error.message
        case .silent(let time): "no sound came from it for \(time.inMilliseconds / 1000) s; check that it is on"
        case .room(let error): error.message
        }
    }

    /// Whether another try may succeed without a person changing something first.
    var mayPassByItself: Bool {
        switch self {
        case .source(let error): error.mayPassByItself
        case .silent: true
        case .room(let error): error.code != .notPermitted
        }
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension MicrophoneError: CustomStringConvertible {
    public var description: String { message }
}
