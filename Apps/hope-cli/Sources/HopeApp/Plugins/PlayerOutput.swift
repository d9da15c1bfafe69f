internal import Foundation
internal import MediaMPV
public import MediaSync
internal import Synchronization
public import TransportCore

/// What plays media, as `--player` chooses it.
public struct PlayerOutput: Sendable {
    /// What a player is given when it is started.
    public struct Setting: Sendable {
        /// The time that positions carry.
        public var stopwatch: Stopwatch
        /// The tracks that are played, for players that open nothing and have to be told how long each is.
        public var tracks: KnownTracks
        /// Whether it may go on in silence where there is no sound device, rather than fail.
        public var allowsSilence: Bool
        /// Takes a sentence about the player itself, such as that it died, on any thread; must not wait.
        public var tell: @Sendable (String) -> Void
        /// Called when the player is gone for good, on any thread; must not wait.
        public var lose: @Sendable (String) -> Void

        /// Makes a setting.
        public init(
            stopwatch: Stopwatch,
            tracks: KnownTracks,
            allowsSilence: Bool = false,
            tell: @escaping @Sendable (String) -> Void = { _ in },
            lose: @escaping @Sendable (String) -> Void = { _ in }
        ) {
            self.stopwatch = stopwatch
            self.tracks = tracks
            self.allowsSilence = allowsSilence
            self.tell = tell
            self.lose = lose
        }
    }

    /// What uses a player.
    public typealias Use = @Sendable (any MediaPlayer) async throws -> Void

    /// Its name as it stands in a sentence.
    public var name: String
    /// Whether it opens addresses and is heard; one that does not needs neither server nor proxy for the bytes.
    public var opensAddresses: Bool
    /// Whether it is to go on in silence where there is no sound device: nobody asked for this player by name.
    public var allowsSilence = false
    /// Starts the player, uses it, and ends it whatever happens.
    ///
    /// - Throws: `.unavailable` when it cannot be started; what the use throws.
    public var play: @Sendable (_ setting: Setting, _ use: @escaping Use) async throws -> Void

    /// Describes a player.
    public init(
        name: String,
        opensAddresses: Bool,
        play: @escaping @Sendable (_ setting: Setting, _ use: @escaping Use) async throws -> Void
    ) {
        self.name = name
        self.opensAddresses = opensAddresses
        self.play = play
    }
}

extension PluginList<PlayerOutput> {
    /// The players that ship with hope.
    public static let standardPlayers = PluginList(
        seam: "MediaPlayer",
        option: "player",
        plugins: [.virtualPlayer, .mpvPlayer]
    )

    /// The player to use where nobody chose one.
    ///
    /// - Parameters:
    ///   - isHeard: Whether somebody listens.
    ///   - world: The world that says which players are there.
    /// - Returns: The first that is heard where somebody listens and one is there, else the first that is silent.
    /// - Throws: `.unavailable` when there is no player at all.
    func preferred(isHeard: Bool, in world: HopeWorld) throws(CommandError) -> PlayerOutput {
        var silent: PlayerOutput?
        for plugin in plugins where plugin.isAvailable(world) {
            var output = try plugin.make("", world)
            output.allowsSilence = true
            if output.opensAddresses == isHeard { return output }
            if !output.opensAddresses { silent = silent ?? output }
        }
        guard let silent else { throw CommandError(.unavailable, "there is no player; name one with --\(option)") }
        return silent
    }
}

extension HopeWorld {
    /// The player that an option names, else the usual one.
    ///
    /// - Parameters:
    ///   - spec: The option's value.
    ///   - isHeard: Whether somebody listens.
    /// - Returns: The player.
    /// - Throws: As ``PluginList/make(_:in:)``.
    func player(_ spec: String?, isHeard: Bool) throws(CommandError) -> PlayerOutput {
        if let spec { return try plugins.players.make(spec, in: self) }
        return try plugins.players.preferred(isHeard: isHeard, in: self)
    }
}

extension Plugin<PlayerOutput> {
    /// A player of no sound that otherwise does what players do.
    public static let virtualPlayer = Plugin(
        scheme: "fake",
        usage: "fake",
        summary: "plays nothing, in the time that it would take",
        make: { rest, _ throws(CommandError) in
            guard rest.isEmpty else { throw CommandError(.usage, "--player fake takes nothing after the colon") }
            return PlayerOutput(name: "the silent player", opensAddresses: false) { setting, use in
                try await use(VirtualMediaPlayer(stopwatch: setting.stopwatch) { setting.tracks.script(of: $0) })
            }
        }
    )

    /// mpv, run as a program of its own.
    public static let mpvPlayer = Plugin(
        scheme: "mpv",
        usage: "mpv[:OUTPUT]",
        summary: "mpv, heard through its usual output or another, as mpv:pulse; mpv:null is silent",
        needs: "mpv",
        isAvailable: { _ in MPVProgram().path != nil },
        make: { rest, _ throws(CommandError) in
            return PlayerOutput(name: "mpv", opensAddresses: true) { setting, use in
                // Tried in this order; an output that this mpv does not know is passed over.
                let usual = setting.allowsSilence ? "pipewire,pulse,alsa,jack,coreaudio,null" : nil
                let program = MPVProgram(audioOutput: rest.isEmpty ? usual : rest)
                let deaths = Mutex(0)
                let player: MPVPlayer
                do throws(MediaPlayerError) {
                    player = try await MPVPlayer.start(program, stopwatch: setting.stopwatch) { death in
                        setting.tell(death.message)
                        let count = deaths.withLock { count in
                            count += 1
                            return count
                        }
                        // It is started anew once.
                        if count > 1 { setting.lose(death.message) }
                    }
                } catch {
                    throw CommandError(error.code == .cancelled ? .interrupted : .unavailable, error.message)
                }
                do {
                    try await use(player)
                } catch {
                    await player.close()
                    throw error
                }
                await player.close()
            }
        }
    )
}
