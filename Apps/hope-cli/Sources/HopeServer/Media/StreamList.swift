internal import Foundation
internal import MediaSync
internal import TransportCore

/// The live streams that people have added, kept in a file of the owner's alone: an address may hold a key.
struct StreamList: Sendable {
    /// A stream.
    struct Stream: Hashable, Sendable {
        let id: String
        var name: String
        let url: URL

        var track: MediaTrack {
            MediaTrack(id: id, title: name, audioURL: url, kind: .stream)
        }
    }

    /// More are a mistake of some program's.
    static let maximumCount = 1_000

    private let file: AtomicFile?
    private let folder: String?
    private(set) var streams: [Stream] = []
    /// Why what was kept could not be read; it is left as it is until something is added.
    private(set) var notice: String?

    init(folder: String?) {
        self.folder = folder
        file = folder.map { AtomicFile(path: "\($0)/streams.json") }
        guard let file, let bytes = file.read() else { return }
        guard let kept = try? JSONValue(parsing: bytes), let list = kept["streams"]?.elements else {
            notice = "\(file.path) cannot be read, so the streams in it are missing; it is set aside when one is added."
            return
        }
        streams = list.compactMap { value in
            guard let name = value["name"]?.stringValue, let text = value["url"]?.stringValue,
                let address = try? StreamURL(text)
            else { return nil }
            return Stream(id: Self.id(of: address), name: name, url: address.url)
        }
    }

    /// Adds a stream, or gives the one of the same address another name.
    ///
    /// - Throws: 400 for an address that no player may open, 409 for too many, 500 when it cannot be kept.
    mutating func add(name: String, url text: String) throws(MediaRefusal) -> MediaTrack {
        let address: StreamURL
        do throws(StreamURLError) {
            address = try StreamURL(text)
        } catch {
            throw MediaRefusal(400, error.message)
        }
        guard address.text.utf8.count <= 2_000 else { throw MediaRefusal(400, "url must have at most 2000 characters") }
        let title = MediaDetails.line(name) ?? address.url.host() ?? address.text
        let stream = Stream(id: Self.id(of: address), name: title, url: address.url)
        var next = streams
        if let place = next.firstIndex(where: { $0.id == stream.id }) {
            next[place] = stream
        } else {
            guard next.count < Self.maximumCount else {
                throw MediaRefusal(409, "there are \(Self.maximumCount) streams already; remove one first")
            }
            next.append(stream)
        }
        try keep(next)
        return stream.track
    }

    /// Removes a stream.
    ///
    /// - Returns: Whether it was there.
    /// - Throws: 500 when that cannot be kept.
    mutating func remove(_ id: String) throws(MediaRefusal) -> Bool {
        guard streams.contains(where: { $0.id == id }) else { return false }
        try keep(streams.filter { $0.id != id })
        return true
    }

    private mutating func keep(_ next: [Stream]) throws(MediaRefusal) {
        if let file, let folder {
            if notice != nil { rename(file.path, file.path + ".unreadable") }
            let list: [JSONValue] = next.map { ["name": .string($0.name), "url": .string($0.url.absoluteString)] }
            let value: JSONValue = ["streams": .array(list)]
            let bytes = Array((value.indentedText + "\n").utf8)
            if let failure = AtomicFile.makeFolder(folder) ? file.write(bytes) : AtomicFile.reason() {
                throw MediaRefusal(500, "the list of streams cannot be kept in \(file.path): \(failure)")
            }
            notice = nil
        }
        streams = next
    }

    private static func id(of address: StreamURL) -> String {
        "stream-\(MediaLibrary.identifier(address.text).prefix(16))"
    }
}
