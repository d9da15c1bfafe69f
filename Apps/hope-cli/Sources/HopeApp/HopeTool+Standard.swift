extension HopeTool {
    /// Makes the tool that ships as `hope`.
    ///
    /// - Parameter plugins: What can be plugged into the seams; help lists it.
    /// - Returns: The tool.
    public static func hope(plugins: PluginRegistry = .standard) -> HopeTool {
        HopeTool(root: rootCommand(plugins: plugins))
    }

    private static func rootCommand(plugins: PluginRegistry) -> Command {
        let root: @Sendable () -> Command = { rootCommand(plugins: plugins) }
        return Command(
            "hope",
            summary: "the headless core of a voice companion and a map companion, as one tool",
            discussion: [
                """
                Exit status: 0 done; 1 there but unusable, or failed; 2 bad option or value; 3 conflict; 4 the named thing
                is not there; 5 a server, store or tool is missing or does not answer; 130 interrupted.
                """
            ],
            options: [CommandOption("version", summary: "print the version")],
            examples: [
                CommandExample("hope demo", "the main job, with nothing set up"),
                CommandExample("hope talk", "type to the agent"),
                CommandExample("hope wall --audio wav:voice.wav", "a recording on the LED wall"),
            ],
            subcommands: [
                .demo(plugins: plugins), .talk(plugins: plugins), .replay(), .serve(), .doctor(),
                .wall(plugins: plugins), .tasks(),
                .media(plugins: plugins), .map(), .transcript(), .settings(), .plugins(), .completions(root: root),
                .manual(root: root),
            ]
        )
    }
}

extension PluginRegistry {
    /// Everything that ships with hope.
    public static let standard = PluginRegistry(audio: .standardAudio, walls: .standardWalls)
}
