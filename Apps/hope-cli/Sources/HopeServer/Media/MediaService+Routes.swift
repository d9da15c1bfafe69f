internal import MediaSync
internal import TransportCore
internal import TransportHTTP

extension MediaService {
    private struct Library: Encodable {
        var tracks: [MediaTrack]
        var notices: [String]
    }

    private struct Results: Encodable {
        var results: [MediaChoice]
    }

    /// Answers a request for a path below `/media/`.
    func answer(_ request: MediaRequest) async throws -> HTTPServerResponse {
        do {
            return try await route(request)
        } catch let refusal as MediaRefusal {
            return MediaAnswer.refusal(refusal.status, refusal.message)
        }
    }

    private func route(_ request: MediaRequest) async throws -> HTTPServerResponse {
        let parts = request.target.segments ?? []
        let nothing = MediaRefusal(404, "there is nothing at \(request.target.path.prefix(200))")
        guard parts.count >= 3, parts[0] == "media", parts[1] == "api" else { throw nothing }
        let allowed: [String]
        switch (parts[2], parts.count) {
        case ("state", 3), ("library", 3), ("stream", 4), ("art", 4): allowed = ["GET", "HEAD"]
        case ("play", 3), ("control", 3), ("report", 3), ("search", 3), ("streams", 3): allowed = ["POST"]
        case ("tracks", 4): allowed = ["DELETE"]
        default: throw nothing
        }
        guard allowed.contains(request.head.method) else {
            let names = allowed.joined(separator: ", ")
            return MediaAnswer.refusal(405, "\(request.target.path) answers \(names) only", headers: [("Allow", names)])
        }
        switch parts[2] {
        case "state":
            let room = try Self.room(request.target.queryValue("room"))
            try Self.admit(request.caller, to: room)
            return try MediaAnswer.json(await mediaState(of: room))
        case "library":
            await catalog.refresh()
            await catalog.settle()
            return try MediaAnswer.json(Library(tracks: await libraryTracks(), notices: await catalog.notices))
        case "stream": return try await stream(parts[3], request.head)
        case "art": return try await art(parts[3], request.head)
        case "play": return try await play(request)
        case "control": return try await control(request)
        case "report": return try await report(request)
        case "search": return try await search(request)
        case "streams": return try await addStream(request)
        default: return try await remove(parts[3])
        }
    }

    /// Lets the holder of a room's token act in that room and in the one of those who are in none.
    private static func admit(_ caller: RequestGuard.Caller, to room: String) throws(MediaRefusal) {
        guard case .participant(let own, _) = caller, room != own, room != defaultRoom else { return }
        throw MediaRefusal(403, "this room token is for another room than “\(room.prefix(100))”")
    }

    // MARK: Playing

    private func play(_ request: MediaRequest) async throws -> HTTPServerResponse {
        let wish = try await request.object()
        let room = try wish.room()
        try Self.admit(request.caller, to: room)
        // A track that is carried into a conversation waits there.
        let position = try wish.number("position", in: 0...Double.infinity)
        let startPaused = try wish.truth("start_paused") ?? false
        if let id = try wish.text("track_id") ?? wish.text("video_id") {
            _ = try await play(id, at: position, startPaused: startPaused, in: room)
        } else if let query = try wish.text("query") {
            await catalog.refresh()
            let choices = await choices(for: query, limit: Self.maximumChoices)
            guard let first = choices.first else {
                throw MediaRefusal(404, "nothing in the library matches “\(query.prefix(100))”")
            }
            if choices.count == 1 {
                _ = try await play(first.id, at: position, startPaused: startPaused, in: room)
            } else {
                change(room) { $0.offer(choices) }
            }
        } else {
            throw MediaRefusal(400, "name a track_id, a video_id or a query to play")
        }
        return try MediaAnswer.json(await mediaState(of: room))
    }

    private func control(_ request: MediaRequest) async throws -> HTTPServerResponse {
        let wish = try await request.object()
        let room = try wish.room()
        try Self.admit(request.caller, to: room)
        let action: RoomPlayback.Action
        switch try wish.text("action") {
        case "play": action = .play
        case "pause": action = .pause
        case "stop": action = .stop
        case "seek":
            guard let position = try wish.number("position", in: 0...Double.infinity) else {
                throw MediaRefusal(400, "seek needs a position in seconds")
            }
            action = .seek(position)
        case "volume":
            guard let volume = try wish.number("volume", in: 0...1) else {
                throw MediaRefusal(400, "volume needs a volume from 0 to 1")
            }
            action = .volume(volume)
        default: throw MediaRefusal(400, "action must be play, pause, stop, seek or volume")
        }
        let track = await track(of: playback(in: room))
        try change(room) { playback throws(MediaRefusal) in
            // Somebody may have played another track meanwhile, about which nothing was said.
            try playback.control(action, track: playback.trackID == track?.id ? track : nil, now: now)
        }
        return try MediaAnswer.json(await mediaState(of: room))
    }

    private func report(_ request: MediaRequest) async throws -> HTTPServerResponse {
        let told = try await request.object()
        let room = try told.room()
        try Self.admit(request.caller, to: room)
        guard let id = try told.text("track_id") else { throw MediaRefusal(400, "track_id is missing") }
        guard let position = try told.number("position", in: 0...Double.infinity) else {
            throw MediaRefusal(400, "position is missing")
        }
        guard let timestamp = try told.number("ts", in: 0...Double.infinity) else {
            throw MediaRefusal(400, "ts is missing")
        }
        // One device whose clock is far ahead, or counts milliseconds, must not silence all that speak after it.
        let latest = now + Self.clockTolerance
        let report = PlaybackReport(
            room: room,
            trackID: id,
            position: position,
            duration: try told.number("duration", in: 0...Double.infinity),
            isPlaying: try told.truth("playing") ?? false,
            hasEnded: try told.truth("ended") ?? false,
            timestamp: min(timestamp, latest)
        )
        // Nothing is remembered of rooms that play nothing.
        if playback(in: room).trackID != nil { change(room) { $0.take(report) } }
        return JSONAnswer.answer(Array("{\"ok\":true}".utf8))
    }

    // MARK: The library

    private func search(_ request: MediaRequest) async throws -> HTTPServerResponse {
        guard let query = try await request.object().text("query"), MediaDetails.line(query) != nil else {
            throw MediaRefusal(400, "query must not be empty")
        }
        await catalog.refresh()
        return try MediaAnswer.json(Results(results: await choices(for: query, limit: Self.maximumResults)))
    }

    private func addStream(_ request: MediaRequest) async throws -> HTTPServerResponse {
        let stream = try await request.object()
        guard let url = try stream.text("url") else { throw MediaRefusal(400, "url must be http(s)") }
        return try MediaAnswer.json(try await catalog.addStream(name: try stream.text("name") ?? "", url: url))
    }

    private func remove(_ id: String) async throws -> HTTPServerResponse {
        guard try await catalog.remove(id) else {
            throw MediaRefusal(404, "there is no track “\(id.prefix(100))” in the library")
        }
        forget(id)
        return JSONAnswer.answer(Array("{\"ok\":true}".utf8))
    }

    // MARK: Bytes

    private func stream(_ name: String, _ head: HTTPRequestHead) async throws -> HTTPServerResponse {
        let dot = name.firstIndex(of: ".") ?? name.endIndex
        let id = String(name[..<dot])
        let ending = name[dot...].dropFirst().lowercased()
        if await catalog.stream(id) != nil {
            throw MediaRefusal(404, "“\(id.prefix(100))” is a live stream; play its audio_url")
        }
        var found = await catalog.entry(id)
        if found == nil {
            await catalog.refresh()
            found = await catalog.entry(id)
        }
        guard let entry = found else { throw MediaRefusal(404, "there is no track “\(id.prefix(100))”") }
        if ending.isEmpty || ending == entry.type.pathExtension { return try await original(entry, head) }
        guard ending == MediaFileType.mp4.pathExtension, !entry.type.isForApple else {
            throw MediaRefusal(404, "“\(entry.title)” is not there as .\(ending.prefix(20))")
        }
        return try await converted(entry, head)
    }

    private func original(_ entry: MediaEntry, _ head: HTTPRequestHead) async throws -> HTTPServerResponse {
        let file: MediaFile
        switch entry.content {
        case .bytes(let bytes):
            return MediaAnswer.content(
                head,
                type: entry.type.mimeType,
                length: bytes.count,
                entityTag: EntityTag(value: entry.id),
                lastModified: nil
            ) { range in
                .bytes(range.map { Array(bytes[$0.first...$0.last]) } ?? bytes)
            }
        case .file(let known):
            guard let open = await catalog.open(known) else {
                await catalog.refresh()
                throw MediaRefusal(404, "the file of “\(entry.title)” is not there any more")
            }
            file = open
        }
        return Self.answer(head, type: entry.type.mimeType, file)
    }

    private func converted(_ entry: MediaEntry, _ head: HTTPRequestHead) async throws -> HTTPServerResponse {
        if !converter.isDone(entry) {
            guard converter.converts(entry) else {
                let reason = converter.failure(of: entry) ?? "ffmpeg is not installed"
                throw MediaRefusal(404, "“\(entry.title)” is not there as AAC: \(reason)")
            }
            converter.start(entry)
            await converter.wait(for: entry)
        }
        guard let file = converter.open(entry) else {
            let reason = converter.failure(of: entry) ?? "the server is stopping"
            throw MediaRefusal(503, "“\(entry.title)” cannot be converted: \(reason)")
        }
        return Self.answer(head, type: MediaFileType.mp4.mimeType, file)
    }

    private func art(_ id: String, _ head: HTTPRequestHead) async throws -> HTTPServerResponse {
        guard let entry = await catalog.entry(id), let file = await catalog.picture(of: entry),
            let type = PictureType(head: file.head(8))
        else { throw MediaRefusal(404, "there is no picture of “\(id.prefix(100))”") }
        return Self.answer(head, type: type.rawValue, file)
    }

    private static func answer(_ head: HTTPRequestHead, type: String, _ file: MediaFile) -> HTTPServerResponse {
        MediaAnswer.content(
            head,
            type: type,
            length: file.length,
            entityTag: file.entityTag,
            lastModified: file.lastModified,
            body: file.body
        )
    }
}
