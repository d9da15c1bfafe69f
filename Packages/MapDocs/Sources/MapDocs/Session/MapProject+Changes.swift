import TransportCore

extension MapProject {
    /// Returns what another state of the project has changed: layers, basemap and bookmarks, never the camera.
    func changes(to other: MapProject) -> [PendingChange] {
        layerChanges(to: other) + basemapChanges(to: other) + bookmarkChanges(to: other)
    }

    /// Pairs what is with what was by identifier; where programs have written one twice, equal ones, else by order.
    private static func match<Element: Equatable>(
        _ elements: [Element],
        _ others: [Element],
        by identifier: (Element) -> String
    ) -> (others: [(Element, before: Element?)], removed: [Element]) {
        // The next one is the last, where taking it is cheap.
        var left: [String: [Int]] = [:]
        for index in elements.indices.reversed() { left[identifier(elements[index]), default: []].append(index) }
        let pairs = others.map { other -> (Element, before: Element?) in
            let id = identifier(other)
            guard let candidates = left[id], let next = candidates.indices.last else { return (other, nil) }
            let chosen = candidates.count > 1 ? candidates.lastIndex { elements[$0] == other } ?? next : next
            return (other, (left[id]?.remove(at: chosen)).map { elements[$0] })
        }
        return (pairs, left.values.joined().sorted().map { elements[$0] })
    }

    private func layerChanges(to other: MapProject) -> [PendingChange] {
        var changes: [PendingChange] = []
        let (matched, removed) = Self.match(layers, other.layers, by: \.id)
        for (layer, before) in matched {
            let item = "layer/\(layer.id)"
            guard let before else {
                changes.append(PendingChange(.layerAdded, layer: layer, subject: layer.name, item: item))
                continue
            }
            if before.isVisible != layer.isVisible {
                changes.append(
                    PendingChange(
                        .layerVisibility,
                        layer: layer,
                        subject: layer.name,
                        item: "\(item)/visible",
                        from: .text(before.isVisible ? "shown" : "hidden"),
                        to: .text(layer.isVisible ? "shown" : "hidden")
                    )
                )
            }
            if before != layer, before.canonicalContent != layer.canonicalContent {
                changes.append(PendingChange(.layerChanged, layer: layer, subject: layer.name, item: item))
            }
        }
        for layer in removed {
            changes.append(
                PendingChange(.layerRemoved, layer: layer, subject: layer.name, item: "layer/\(layer.id)")
            )
        }
        return changes
    }

    private func basemapChanges(to other: MapProject) -> [PendingChange] {
        guard basemap != other.basemap else { return [] }
        return [
            PendingChange(
                .basemap,
                subject: other.basemap.name,
                item: "basemap",
                from: .text(basemap.name),
                to: .text(other.basemap.name)
            )
        ]
    }

    private func bookmarkChanges(to other: MapProject) -> [PendingChange] {
        var changes: [PendingChange] = []
        let (matched, removed) = Self.match(bookmarks, other.bookmarks, by: \.id)
        for (bookmark, before) in matched {
            let item = "bookmark/\(bookmark.id)"
            guard let before else {
                changes.append(
                    PendingChange(
                        .bookmarkAdded,
                        subject: bookmark.name,
                        item: item,
                        to: .text(bookmark.camera.words)
                    )
                )
                continue
            }
            if !before.name.utf8.elementsEqual(bookmark.name.utf8) {
                changes.append(
                    PendingChange(
                        .bookmarkRenamed,
                        subject: bookmark.name,
                        item: "\(item)/name",
                        from: .text(before.name),
                        to: .text(bookmark.name)
                    )
                )
            }
            if before.camera != bookmark.camera {
                changes.append(
                    PendingChange(
                        .bookmarkMoved,
                        subject: bookmark.name,
                        item: "\(item)/camera",
                        from: .text(before.camera.words),
                        to: .text(bookmark.camera.words)
                    )
                )
            }
        }
        for bookmark in removed {
            changes.append(
                PendingChange(
                    .bookmarkDeleted,
                    subject: bookmark.name,
                    item: "bookmark/\(bookmark.id)",
                    from: .text(bookmark.camera.words)
                )
            )
        }
        return changes
    }

    /// The project in canonical form without the revision and the camera, which are no content.
    var canonicalContent: [UInt8]? {
        try? CanonicalJSON.canonicalize(json.bytes, omitting: ["revision", "camera"])
    }
}

extension MapLayer {
    /// The layer in canonical form without its visibility, in which equal layers have equal bytes.
    fileprivate var canonicalContent: [UInt8] {
        (try? CanonicalJSON.canonicalize(json.bytes, omitting: ["visible"])) ?? json.bytes
    }
}

extension MapCamera {
    /// Where a camera looks, for people.
    fileprivate var words: String { "\(coordinateReadout), \(zoomReadout)" }
}
