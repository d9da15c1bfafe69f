/// What the phone's workspace never offers, not even disabled: it belongs to the programs on larger screens.
///
/// A list as data, so that a test can hold every screen against it.
public enum NeverOffered {
    /// Words that stand in no title, label or menu of the workspace and the library, in lower case.
    public static let words = [
        "draw", "edit geometry", "snap", "tool dock", "reorder", "opacity", "style", "labels", "filter", "lock layer",
        "unlock", "rename layer", "delete layer", "metadata", "import", "geojson", "open data", "analysis", "history",
        "field calculator", "export", "pdf", "attribute table", "create feature", "new feature", "gallery",
        "new project", "duplicate", "select all", "select multiple", "settings", "freehand", "arrow", "shape",
    ]
}
