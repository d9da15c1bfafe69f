/// The parts of absolute paths with `/` between them.
enum FilePath {
    /// Returns the folder of a path; `/` for what lies at the root and for the root.
    static func parent(of path: String) -> String {
        let bytes = path.utf8
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")), slash != bytes.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// Returns the last part of a path.
    static func name(of path: String) -> String {
        let bytes = path.utf8
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(path[bytes.index(after: slash)...])
    }
}
