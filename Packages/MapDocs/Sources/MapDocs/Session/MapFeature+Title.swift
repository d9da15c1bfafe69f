extension MapFeature {
    /// Returns what people call the feature.
    ///
    /// - Parameters:
    ///   - table: Its table.
    ///   - layer: Its layer.
    /// - Returns: The value of the column `name`, `title` or `label`, else of the first text column that has one, else
    ///   the layer's name and the primary key.
    public func title(in table: FeatureTable, of layer: MapLayer) -> String {
        let texts = table.columns.filter { column in
            if case .text = column.type { column.role == .attribute } else { false }
        }
        let named = ["name", "title", "label"].compactMap { name in texts.first { $0.name.lowercased() == name } }
        for column in named + texts {
            if case .text(let text) = values[column.name], !text.allSatisfy(\.isWhitespace) {
                return text.count > 60 ? "\(text.prefix(59))…" : text
            }
        }
        return "\(layer.name) \(key)"
    }
}
