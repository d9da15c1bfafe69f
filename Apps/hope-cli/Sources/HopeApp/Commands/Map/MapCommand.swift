extension Command {
    /// `hope map`: map projects, from opening to publishing.
    public static func map() -> Command {
        Command(
            "map",
            summary: "open, inspect, annotate and publish map projects without ever losing work",
            discussion: [
                """
                A project is a folder NAME.gispad with project.json and a GeoPackage. DOC names one of the store, or any by
                its path. Opening makes a working copy in --home; edits go there at once, and nothing is published before
                hope map publish, which never overwrites what somebody else has published.
                """
            ],
            examples: [
                CommandExample("hope map import countries.gpkg --into World.gispad", "make a project of a GeoPackage"),
                CommandExample("hope map layers World.gispad", "what it has"),
                CommandExample("hope map snapshot World.gispad --out world.png", "a picture of it"),
            ],
            subcommands: [
                .mapLibrary(), .mapOpen(), .mapShow(), .mapLayers(), .mapHide(), .mapShowLayer(), .mapInspect(),
                .mapSet(), .mapNote(), .mapBookmark(), .mapBasemap(), .mapStatus(), .mapPending(), .mapPublish(),
                .mapResolve(), .mapDiscard(), .mapTap(), .mapMeasure(), .mapCamera(), .mapFlyTo(), .mapSnapshot(),
                .mapWorkspace(), .mapNew(), .mapImport(),
            ]
        )
    }
}
