extension Command {
    /// `hope media`: what a room plays, and the player that follows.
    public static func media(plugins: PluginRegistry) -> Command {
        Command(
            "media",
            summary: "play media where the server says, and tell the server what to play",
            discussion: [
                """
                A server says what a room plays, and every player of that room follows it: hope media follow is such a player,
                the other commands talk to the server. Without --server, and without one in the settings, a server inside the
                process stands in, with a few samples or the folder of --library; it ends with the command.
                """
            ],
            examples: [
                CommandExample("hope serve --library ~/Music", "first, in a terminal of its own"),
                CommandExample("hope media follow --server http://127.0.0.1:7443", "a player, in another"),
                CommandExample(
                    "hope media play --query \"blue moon\" --server http://127.0.0.1:7443",
                    "what the player then plays"
                ),
                CommandExample("hope media follow --play \"Jazz Walk\"", "a sample, with no server"),
            ],
            subcommands: [
                .mediaState(), .mediaPlay(), .mediaPause(), .mediaResume(), .mediaSeek(), .mediaStop(), .mediaVolume(),
                .mediaSearch(), .mediaLibrary(), .mediaAddStream(), .mediaRemove(), .mediaFollow(plugins: plugins),
                .mediaProxy(),
            ]
        )
    }
}
