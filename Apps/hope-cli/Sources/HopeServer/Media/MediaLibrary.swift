internal import TransportCore
internal import TransportTLS

/// Where a media service has its tracks from: a folder of files, or samples in memory, with the streams that people add.
public struct MediaLibrary: Sendable {
    enum Source: Sendable {
        case folder(MediaFolder)
        case samples([MediaSample])
    }

    let source: Source
    /// Where streams are kept; nil for nowhere.
    let dataFolder: String?
    let tools: MediaTools

    /// The tracks of a folder and everything in it.
    ///
    /// Hidden files, links, and what is no media file are left out. Nothing in the folder is written, except that removed
    /// files are moved to its hidden folder `.trash`.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - dataFolder: Where streams, conversions, pictures and what is known of the files are kept; made when needed.
    ///   - tools: The programs that look into files and convert them.
    /// - Returns: The library.
    /// - Throws: `notFound` where there is nothing, `unusable` for what is no folder or cannot be read.
    public static func folder(
        _ path: String,
        dataFolder: String,
        tools: MediaTools
    ) throws(MediaLibraryError) -> MediaLibrary {
        MediaLibrary(source: .folder(try MediaFolder(path)), dataFolder: dataFolder, tools: tools)
    }

    /// These tracks in memory, or none, beside which people can add streams.
    ///
    /// - Parameters:
    ///   - samples: The tracks.
    ///   - dataFolder: Where streams are kept; nil for only as long as the service lives.
    /// - Returns: The library.
    public static func samples(_ samples: [MediaSample] = [], dataFolder: String? = nil) -> MediaLibrary {
        MediaLibrary(source: .samples(samples), dataFolder: dataFolder, tools: .none)
    }

    /// What a person who runs the server should know: which programs are missing, and what that means.
    public var notices: [String] {
        guard case .folder = source else { return [] }
        var notices: [String] = []
        if tools.ffprobe == nil {
            notices.append("ffprobe is not installed: titles are file names, and lengths are not known.")
        }
        if tools.ffmpeg == nil {
            notices.append(
                "ffmpeg is not installed: WebM and Ogg files are offered as they are, which Apple's players cannot open."
            )
        }
        return notices
    }

    var folder: MediaFolder? {
        if case .folder(let folder) = source { folder } else { nil }
    }

    /// Where things made from this folder's files are kept.
    var cacheFolder: String? {
        guard let folder, let dataFolder else { return nil }
        return "\(dataFolder)/\(Self.identifier(folder.path).prefix(16))"
    }

    /// A name for a text that is the same at every start.
    static func identifier(_ text: String) -> String {
        OpenSSLContentDigest().sha256Hex(Array(text.utf8))
    }
}
