internal import Foundation
internal import MediaSync

/// A track of the library: a file, or bytes in memory.
struct MediaEntry: Sendable {
    /// Where the bytes are.
    enum Content: Sendable {
        case file(MediaFolder.File)
        case bytes([UInt8])
    }

    let id: String
    let content: Content
    let type: MediaFileType
    /// What is shown when the file itself names no title.
    let name: String
    /// Nil until it has been looked into.
    var details: MediaDetails?
    /// A picture beside the file.
    var cover: MediaFolder.File?

    var title: String { details?.title ?? name }
    var hasArt: Bool { details?.picture != nil || cover != nil }

    /// The name of what is made from these very bytes.
    var version: String {
        switch content {
        case .file(let file): "\(id)-\(String(file.size, radix: 16))-\(String(file.modified, radix: 16))"
        case .bytes: id
        }
    }

    /// The address of its bytes as they are.
    var path: String { "/media/api/stream/\(id).\(type.pathExtension)" }
    /// The address of its conversion.
    var convertedPath: String { "/media/api/stream/\(id).\(MediaFileType.mp4.pathExtension)" }

    /// The track as the API describes it.
    ///
    /// - Parameters:
    ///   - source: The path of the bytes to play; nil while they are missing.
    ///   - mimeType: Their media type.
    /// - Returns: The track, with paths instead of addresses.
    func track(source: String?, mimeType: String) -> MediaTrack {
        MediaTrack(
            id: id,
            title: title,
            channel: details?.artist,
            duration: details?.duration,
            art: hasArt ? URL(string: "/media/api/art/\(id)") : nil,
            audioURL: source.flatMap { URL(string: $0) },
            mimeType: mimeType,
            kind: .file
        )
    }
}
