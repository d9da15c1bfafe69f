/// What the person can do in the workspace.
public enum WorkspaceAction: Hashable, Sendable {
    /// Show a sheet in the place of the one that is shown; the inspector and the attributes need a selection.
    case open(WorkspaceSheet.Kind)
    /// Give the sheet another height.
    case setDetent(WorkspaceSheet.Detent)
    /// Close the sheet; closing the inspector clears the selection, closing the conflict sheet decides nothing.
    case closeSheet
    /// Tap the map; the hit is what lies there, or nil for empty space.
    case tap(MapCoordinate, hit: WorkspaceSelection?)
    /// Show or hide a layer.
    case toggleLayer(String)
    /// Choose the map below the layers.
    case chooseBasemap(MapBasemap)
    /// Keep the key of the provider of satellite pictures.
    case enterSatelliteKey(String)
    /// Go where a bookmark leads.
    case openBookmark(String)
    /// Keep what the map shows under a name.
    case saveBookmark(name: String)
    /// Give a bookmark another name.
    case renameBookmark(String, name: String)
    /// Remove a bookmark.
    case deleteBookmark(String)
    /// Begin to measure.
    case beginMeasuring
    /// Take the last measured point away.
    case undoPoint
    /// Join the measured points to a line or an area.
    case chooseShape(MeasureMode.Shape)
    /// End measuring.
    case endMeasuring
    /// Begin a note.
    case beginNote(NoteDraft.Kind)
    /// Type the text of the note.
    case typeNote(String)
    /// Add the note.
    case confirmNote
    /// Leave no note.
    case cancelNote
    /// Save the attributes that were edited.
    case saveAttributes([String: FeatureValue])
    /// Publish.
    case save
    /// Choose a way out of a conflict.
    case resolve(ConflictChoice)
    /// Turn the map so that north is up.
    case resetBearing
    /// Look straight down.
    case resetPitch
    /// Look straight down with north up.
    case resetView
    /// Move the map.
    case move(MapCamera)
    /// Take a message away.
    case dismissToast(String)
    /// Go back to the library; edits are kept.
    case leave
}

/// What the workspace asks its owner to do.
public enum WorkspaceEffect: Hashable, Sendable {
    /// Show or hide a layer in the document.
    case setLayerVisible(String, Bool)
    /// Set the document's basemap.
    case setBasemap(MapBasemap)
    /// Keep the key of the provider of satellite pictures in the secret store.
    case keepSatelliteKey(String)
    /// Add a bookmark.
    case saveBookmark(name: String, MapCamera)
    /// Give a bookmark another name.
    case renameBookmark(String, name: String)
    /// Remove a bookmark.
    case deleteBookmark(String)
    /// Add a note.
    case addNote(NoteDraft)
    /// Change attributes of a feature.
    case updateAttributes(layer: String, FeatureID, [String: FeatureValue])
    /// Keep the camera with the working copy.
    case keepCamera(MapCamera)
    /// Publish.
    case publish
    /// Carry out the way out of a conflict.
    case resolve(ConflictChoice)
    /// Go back to the library.
    case leave
}
