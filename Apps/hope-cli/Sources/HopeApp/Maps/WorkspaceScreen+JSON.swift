internal import HopeTokens
internal import MapDocs
internal import TransportCore

extension WorkspaceScreen {
    /// The screen model as one JSON object.
    var json: JSONValue {
        [
            "status_pod": [
                "title": .string(statusPod.title), "line": .string(statusPod.line), "glyph": .string(statusPod.glyph),
                "back": statusPod.back.json, "spoken": .string(statusPod.spoken),
            ],
            "save": [
                "state": .string(save.word), "count": .integer(save.count), "progress": .number(save.progress),
                "control": save.control.json,
            ],
            "cluster": .array(cluster.map(\.json)),
            "sheet": sheet?.json ?? .null,
            "selection": selection?.json ?? .null,
            "measure": measure.map { measure in
                [
                    "lines": .array(measure.lines.map { .string($0) }),
                    "controls": .array(measure.controls.map(\.json)), "spoken": .string(measure.spoken),
                ]
            } ?? .null,
            "prompt": .string(prompt?.text),
            "readout": [
                "coordinates": .string(readout.coordinates), "zoom": .string(readout.zoom),
                "spoken": .string(readout.spoken),
            ],
            "navigation": [
                "scale": navigation.scale.map { scale in
                    ["label": .string(scale.label), "meters": .number(scale.meters), "width": .number(scale.width)]
                } ?? .null,
                "bearing": .number(navigation.bearing), "pitch": .string(navigation.pitch),
                "controls": .array(navigation.controls.map(\.json)),
            ],
            "toasts": .array(toasts.map { .string($0) }),
            "layout": layout.json,
            "spoken": .array(spoken.map { .string($0) }),
        ]
    }
}

extension WorkspaceSaveButton {
    fileprivate var word: String {
        switch phase {
        case .saved: "saved"
        case .dirty: "dirty"
        case .publishing: "publishing"
        }
    }

    fileprivate var progress: Double? { if case .publishing(let fraction) = phase { fraction } else { nil } }
}

extension WorkspaceControl {
    fileprivate var json: JSONValue {
        [
            "title": .string(title), "glyph": .string(glyph?.rawValue), "style": .string(style.rawValue),
            "enabled": .bool(isEnabled), "active": .bool(isActive), "menu": .array(menu.map(\.json)),
            "spoken": .string(spoken),
        ]
    }
}

extension WorkspaceSheetModel {
    fileprivate var json: JSONValue {
        [
            "kind": .string(kind.rawValue), "detent": .string(detent.rawValue),
            "detents": .array(detents.map { .string($0.rawValue) }), "modal": .bool(isModal),
            "title": .string(title), "count": .string(count), "rows": .array(rows.map(\.json)),
            "empty": .string(emptyText), "controls": .array(controls.map(\.json)),
        ]
    }
}

extension WorkspaceSheetModel.Row {
    fileprivate var json: JSONValue {
        [
            "title": .string(title), "detail": .string(detail),
            "swatch": swatch.map { ["fill": .string("#\($0.fill.hex)"), "stroke": .string("#\($0.stroke.hex)")] }
                ?? .null,
            "glyphs": .array(glyphs.map { .string($0.rawValue) }), "dimmed": .bool(isDimmed),
            "chosen": .bool(isChosen), "controls": .array(controls.map(\.json)), "spoken": .string(spoken),
        ]
    }
}

extension WorkspaceSelectionModel {
    fileprivate var json: JSONValue {
        [
            "title": .string(title), "summary": .string(summary), "layer": .string(layer),
            "tiles": .array(tiles.map { ["label": .string($0.label), "value": .string($0.value)] }),
            "editable": .bool(lockReason == nil), "reason": .string(lockReason), "spoken": .string(spoken),
        ]
    }
}

extension WorkspaceLayout {
    fileprivate var json: JSONValue {
        [
            "control": .number(control), "spacing": .number(spacing), "narrow": .bool(isNarrow),
            "status_pod": statusPod.json, "save": save.json, "cluster": cluster.json,
            "coordinates": coordinates.json, "navigation": navigation.json, "sheet": sheet?.json ?? .null,
        ]
    }
}

extension ScreenRectangle {
    fileprivate var json: JSONValue {
        ["x": .number(x), "y": .number(y), "width": .number(width), "height": .number(height)]
    }
}
