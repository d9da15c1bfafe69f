import MapDocs
import Testing

struct WorkspaceLayoutTests {
    static let viewports: [WorkspaceViewport] = [320.0, 375, 390, 430, 744].flatMap { short -> [WorkspaceViewport] in
        let long = short * 2.16
        return [1.0, 1.6, 3.1].flatMap { scale in
            [
                WorkspaceViewport(width: short, height: long, safeTop: 47, safeBottom: 34, textScale: scale),
                WorkspaceViewport(
                    width: long,
                    height: short,
                    safeBottom: 21,
                    safeLeading: 47,
                    safeTrailing: 47,
                    textScale: scale
                ),
            ]
        }
    }

    @Test(arguments: viewports)
    func `everything lies inside the safe area at its corner, and no control is under 44 points`(
        viewport: WorkspaceViewport
    ) throws {
        var workspace = try WorkspaceSample.make(viewport: viewport)
        _ = workspace.apply(.tap(try WorkspaceSample.place(), hit: WorkspaceSample.parcel()))
        let layout = WorkspaceScreen(workspace).layout
        let safe = ScreenRectangle(
            x: viewport.safeLeading,
            y: viewport.safeTop,
            width: viewport.width - viewport.safeLeading - viewport.safeTrailing,
            height: viewport.height - viewport.safeTop - viewport.safeBottom
        )
        let parts = [layout.statusPod, layout.save, layout.cluster, layout.coordinates, layout.navigation]
        for part in parts {
            #expect(part.x >= safe.x && part.right <= safe.right + 1e-9)
            #expect(part.y >= safe.y && part.bottom <= safe.bottom + 1e-9)
        }
        #expect(layout.control >= 44)
        #expect(layout.save.width >= 44 && layout.save.height >= 44 && layout.statusPod.width >= 44)
        #expect(layout.statusPod.x == safe.x + layout.spacing && layout.statusPod.y == safe.y + layout.spacing)
        #expect(abs(layout.save.right - (safe.right - layout.spacing)) < 1e-9)
        #expect(abs(layout.cluster.x + layout.cluster.width / 2 - (safe.x + safe.width / 2)) < 1e-9)
        #expect(abs(layout.navigation.right - (safe.right - layout.spacing)) < 1e-9)
        #expect(layout.coordinates.x == safe.x + layout.spacing)
        #expect(!layout.statusPod.overlaps(layout.save))
        #expect(!layout.cluster.overlaps(layout.navigation) && !layout.cluster.overlaps(layout.coordinates))
        #expect(!layout.navigation.overlaps(layout.coordinates))
        if let sheet = layout.sheet { #expect(sheet.x >= safe.x && sheet.bottom <= safe.bottom + 1e-9) }
    }

    @Test func `in very narrow width the state is one glyph and the save button carries the count`() throws {
        var workspace = try WorkspaceSample.make(viewport: WorkspaceViewport(width: 250, height: 500))
        workspace.changes = 3
        let screen = WorkspaceScreen(workspace)
        #expect(screen.statusPod.line == nil)
        #expect(screen.statusPod.glyph == "●")
        #expect(screen.statusPod.spoken == "Harbour, edited, 3 changes")
        #expect(screen.save.control.title == "3")
    }

    @Test func `spacing shrinks before controls do`() throws {
        let wide = WorkspaceScreen(try WorkspaceSample.make(viewport: WorkspaceViewport(width: 390, height: 844)))
        let tight = WorkspaceScreen(try WorkspaceSample.make(viewport: WorkspaceViewport(width: 160, height: 844)))
        #expect(wide.layout.control == 48 && wide.layout.spacing == 8)
        #expect(tight.layout.control == 48 && tight.layout.spacing < 8)
    }

    @Test func `a sheet is half of the screen, or nearly all of it, and narrower beside the map in landscape`() throws {
        var upright = try WorkspaceSample.make(viewport: WorkspaceViewport(width: 390, height: 844))
        _ = upright.apply(.open(.layers))
        #expect(WorkspaceScreen(upright).layout.sheet == ScreenRectangle(x: 0, y: 422, width: 390, height: 422))
        _ = upright.apply(.setDetent(.large))
        #expect((WorkspaceScreen(upright).layout.sheet?.height ?? 0) > 700)
        var wide = try WorkspaceSample.make(viewport: WorkspaceViewport(width: 844, height: 390))
        _ = wide.apply(.open(.layers))
        #expect(WorkspaceScreen(wide).layout.sheet?.width == 422)
    }
}
