/// Something that shows pictures of the wall: a screen, a file, a stream.
///
/// What an implementer promises, as `WallRendererLaw` in `LedWallConformance` checks:
///
/// - **Order.** Pictures come in the order of their times (`picture.input.seconds`). An equal time is allowed.
///   An earlier time is refused with `timeWentBack`, and nothing is put out for it.
/// - **Time.** The only time a renderer knows is the pictures' own. It reads no clock, waits for nothing and puts out the
///   same for the same pictures.
/// - **Finish.** `finish()` ends the output and gives back what was taken (cursor, screen, file). It may be called at any
///   time, before the first picture and more than once; from the second call on it does nothing. After it, `draw` throws
///   `finished` and puts out nothing.
/// - **Pictures.** The grid may change from one picture to the next. Any opacity, size and glow is drawn, clamped to what
///   can be shown; a status of any text is shown harmlessly or left out.
/// - **Errors.** Where the output cannot be written, `draw` and `finish` throw `output` with the reason. A failed `draw`
///   leaves the renderer usable: the next picture is drawn whole.
/// - **Concurrency.** Calls may come from any thread; each is done whole before the next.
///
/// On an Apple platform a backend would hand the newest picture to a SwiftUI `Canvas`.
public protocol WallRenderer: Sendable {
    /// Shows a picture.
    ///
    /// - Parameters:
    ///   - picture: The moment to show.
    ///   - status: A line of words that stands for the wall; empty for none. Renderers without a place for it ignore it.
    /// - Throws: `.finished` after `finish()`, make a new renderer; `.timeWentBack` for a picture from before the last one,
    ///   leave it out; `.output` where the output cannot be written, see to its cause or finish.
    func draw(_ picture: WallPicture, status: String) throws(WallRendererError)

    /// Ends the output and gives back what was taken; does nothing from the second call on.
    ///
    /// - Throws: `.output` where the end cannot be written; the renderer is finished all the same.
    func finish() throws(WallRendererError)
}

extension WallRenderer {
    /// Shows a picture without a line of words.
    ///
    /// - Parameter picture: The moment to show.
    /// - Throws: As `draw(_:status:)`.
    public func draw(_ picture: WallPicture) throws(WallRendererError) {
        try draw(picture, status: "")
    }
}
