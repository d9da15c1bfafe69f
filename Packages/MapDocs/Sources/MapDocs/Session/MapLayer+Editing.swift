extension MapLayer {
    /// Returns why the features of the layer can be looked at but never changed, in words for people, or nil.
    ///
    /// - Parameter table: The layer's table; nil when the database has none.
    /// - Returns: The reason.
    public func lockReason(in table: FeatureTable?) -> String? {
        guard let table else { return "The layer “\(name)” has no table “\(self.table)” in the project's database." }
        if let reason = table.lockReason { return reason }
        return isLocked ? "The layer “\(name)” is locked; its features can be looked at, not changed." : nil
    }

    /// Returns why the features of the layer cannot be changed now, in words for people, or nil when they can.
    ///
    /// - Parameters:
    ///   - table: The layer's table.
    ///   - readOnlyReason: Why nothing of the project can be changed, or nil.
    /// - Returns: The reason.
    public func editingRefusal(in table: FeatureTable, readOnlyReason: String?) -> String? {
        if let reason = readOnlyReason ?? lockReason(in: table) { return reason }
        return isVisible ? nil : "The layer “\(name)” is hidden; show it to change its features."
    }
}
