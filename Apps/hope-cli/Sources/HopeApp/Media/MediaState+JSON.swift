internal import Foundation
internal import MediaSync
internal import TransportCore

// The values of the media API as the tool prints them: its fields in the order of its description, null rather than
// absent.
extension MediaState {
    var jsonValue: JSONValue {
        [
            "track": track?.jsonValue ?? .null,
            "desired": .string(desired.rawValue),
            "seek_hint": seekHint.map { ["ts": .number($0.timestamp), "position": .number($0.position)] } ?? .null,
            "start_paused": .bool(startPaused),
            "pending": .array(pending.map(\.jsonValue)),
            "choices": .array(choices.map(\.jsonValue)),
            "reported": reported?.jsonValue ?? .null,
            "volume": .number(volume),
        ]
    }
}

extension MediaTrack {
    var jsonValue: JSONValue {
        [
            "id": .string(id), "title": .string(title), "channel": .string(channel), "duration": .number(duration),
            "art": .string(art?.absoluteString), "audio_url": .string(audioURL?.absoluteString),
            "mime": .string(mimeType), "kind": .string(kind.rawValue),
        ]
    }
}

extension MediaChoice {
    var jsonValue: JSONValue {
        [
            "id": .string(id), "title": .string(title), "channel": .string(channel), "duration": .number(duration),
            "art": .string(art?.absoluteString), "in_library": .bool(isInLibrary),
        ]
    }
}

extension PendingDownload {
    fileprivate var jsonValue: JSONValue {
        [
            "id": .string(id), "title": .string(title), "status": .string(status), "progress": .number(progress),
        ]
    }
}

extension ReportedPlayback {
    fileprivate var jsonValue: JSONValue {
        [
            "track_id": .string(trackID), "position": .number(position), "playing": .bool(isPlaying),
            "ts": .number(timestamp),
        ]
    }
}
