import TransportCore

/// The nodes of an in-memory file system, with what of them would outlive a crash.
struct InMemoryFileTree {
    /// A name as its bytes: text that looks the same can be another name.
    struct Name: Hashable {
        let bytes: [UInt8]

        init(_ text: some StringProtocol) {
            bytes = Array(text.utf8)
        }

        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// A file, a folder or a link.
    struct Node {
        enum Kind {
            case file
            case directory
            case link
        }

        var kind: Kind
        var isPrivate = false
        var bytes: [UInt8] = []
        var children: [Name: Int] = [:]
        var target = ""
        var modified: Int64 = 0
        var changed: Int64 = 0
        /// What the file had when it was last synchronized.
        var safeBytes: [UInt8] = []
        /// What the folder had when it was last synchronized.
        var safeChildren: [Name: Int] = [:]
        var openCount = 0
        var isLocked = false

        init(kind: Kind, isPrivate: Bool = false, bytes: [UInt8] = [], target: String = "") {
            self.kind = kind
            self.isPrivate = isPrivate
            self.bytes = bytes
            self.target = target
        }
    }

    /// A change of folders that is not safe yet, each in one step.
    private enum Change {
        case link(Int, Name, node: Int)
        case unlink(Int, Name)
        case move(from: Int, Name, to: Int, Name)
        case exchange(Int, Name, Int, Name)

        var directories: [Int] {
            switch self {
            case .link(let directory, _, _), .unlink(let directory, _): [directory]
            case .move(let first, _, let second, _), .exchange(let first, _, let second, _): [first, second]
            }
        }
    }

    private static let root = 1
    private static let longestLinkChain = 16

    private(set) var nodes: [Int: Node] = [root: Node(kind: .directory)]
    private(set) var epoch = 0
    var isReadOnly = false
    private var pending: [Change] = []
    private var lastNode = root
    private var lastCount = 1
    private var ticks: Int64 = 0

    // MARK: Finding

    /// Returns the node at a path, or nil when nothing is there, its folders included.
    func find(_ path: String) throws(FileSystemError) -> Int? {
        do throws(FileSystemError) {
            guard let (directory, name) = try place(path, links: 0) else { return Self.root }
            return nodes[directory]?.children[name]
        } catch let error where error.code == .notFound || error.code == .notDirectory {
            return nil
        }
    }

    func file(_ path: String) throws(FileSystemError) -> Int {
        guard let node = try find(path), let kind = nodes[node]?.kind else {
            throw FileSystemError(.notFound, path: path)
        }
        switch kind {
        case .file: return node
        case .directory: throw FileSystemError(.isDirectory, path: path)
        case .link: throw FileSystemError(.unsupported, path: path, reason: "it is a link")
        }
    }

    func directory(_ path: String) throws(FileSystemError) -> Int {
        guard let node = try find(path) else { throw FileSystemError(.notFound, path: path) }
        guard nodes[node]?.kind == .directory else { throw FileSystemError(.notDirectory, path: path) }
        return node
    }

    func entry(of number: Int, name: String) -> FileEntry? {
        guard let node = nodes[number] else { return nil }
        let kind: FileEntry.Kind =
            switch node.kind {
            case .file: .file
            case .directory: .directory
            case .link: .other
            }
        return FileEntry(
            name: name,
            kind: kind,
            size: node.bytes.count,
            modifiedAt: Double(node.modified),
            isPrivate: node.isPrivate,
            stamp: FileStamp(number: UInt64(number), modified: node.modified, changed: node.changed)
        )
    }

    /// Returns the folder and the name of a path, or nil for the root.
    private func place(_ path: String, links: Int) throws(FileSystemError) -> (directory: Int, name: Name)? {
        guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0), links <= Self.longestLinkChain else {
            throw FileSystemError(.failed, path: path, reason: "it is no absolute path")
        }
        let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { Name(String(Substring($0))) }
        guard let last = parts.last else { return nil }
        guard !parts.contains(where: { $0.text == "." || $0.text == ".." }) else {
            throw FileSystemError(.failed, path: path, reason: "it has `.` or `..` in it")
        }
        var directory = Self.root
        for (index, part) in parts.dropLast().enumerated() {
            guard let next = nodes[directory]?.children[part], let node = nodes[next] else {
                throw FileSystemError(.notFound, path: path)
            }
            switch node.kind {
            case .directory: directory = next
            case .file: throw FileSystemError(.notDirectory, path: path)
            case .link:
                let rest = parts[(index + 1)...].map(\.text).joined(separator: "/")
                return try place("\(node.target)/\(rest)", links: links + 1)
            }
        }
        return (directory, last)
    }

    /// Returns the folder and the name of a path that is not the root.
    private func changeablePlace(_ path: String) throws(FileSystemError) -> (directory: Int, name: Name) {
        try checkWritable(path)
        guard let place = try place(path, links: 0) else {
            throw FileSystemError(.unsupported, path: path, reason: "it is the root")
        }
        return place
    }

    // MARK: Changing

    func checkWritable(_ path: String) throws(FileSystemError) {
        if isReadOnly { throw FileSystemError(.readOnly, path: path) }
    }

    mutating func make(_ path: String, _ node: Node) throws(FileSystemError) -> Int {
        let (directory, name) = try changeablePlace(path)
        guard nodes[directory]?.children[name] == nil else { throw FileSystemError(.exists, path: path) }
        lastNode += 1
        nodes[lastNode] = node
        touch(lastNode)
        change(.link(directory, name, node: lastNode))
        return lastNode
    }

    mutating func append(_ bytes: [UInt8], to node: Int) {
        nodes[node]?.bytes += bytes
        touch(node)
    }

    mutating func overwrite(_ node: Int, at offset: Int, with bytes: [UInt8]) throws(FileSystemError) {
        guard let size = nodes[node]?.bytes.count, offset >= 0, offset + bytes.count <= size else {
            throw FileSystemError(.failed, path: "", reason: "the bytes lie outside of the file")
        }
        let modified = nodes[node]?.modified ?? 0
        nodes[node]?.bytes.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        touch(node)
        nodes[node]?.modified = modified
    }

    mutating func move(_ source: String, to destination: String, replacing: Bool) throws(FileSystemError) {
        let (from, name) = try changeablePlace(source)
        let (to, newName) = try changeablePlace(destination)
        guard let node = nodes[from]?.children[name] else { throw FileSystemError(.notFound, path: source) }
        guard replacing || nodes[to]?.children[newName] == nil else {
            throw FileSystemError(.exists, path: destination)
        }
        try checkOutside(node, to, path: destination)
        change(.move(from: from, name, to: to, newName))
    }

    mutating func exchange(_ first: String, with second: String) throws(FileSystemError) {
        let (one, name) = try changeablePlace(first)
        let (other, otherName) = try changeablePlace(second)
        guard let node = nodes[one]?.children[name] else { throw FileSystemError(.notFound, path: first) }
        guard let otherNode = nodes[other]?.children[otherName] else {
            throw FileSystemError(.notFound, path: second)
        }
        try checkOutside(node, other, path: second)
        try checkOutside(otherNode, one, path: first)
        change(.exchange(one, name, other, otherName))
    }

    mutating func remove(_ path: String) throws(FileSystemError) {
        guard try find(path) != nil else { return }
        let (directory, name) = try changeablePlace(path)
        if let node = nodes[directory]?.children[name] { remove(node, name, from: directory) }
    }

    private mutating func remove(_ node: Int, _ name: Name, from directory: Int) {
        let children = (nodes[node]?.children ?? [:]).sorted { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }
        for (childName, child) in children { remove(child, childName, from: node) }
        change(.unlink(directory, name))
        // Its content stays what it was for whoever has it open.
        ticks += 1
        nodes[node]?.changed = ticks
    }

    /// A folder cannot be moved into itself.
    private func checkOutside(_ node: Int, _ directory: Int, path: String) throws(FileSystemError) {
        var inside: [Int] = [node]
        while let next = inside.popLast() {
            guard next != directory else { throw FileSystemError(.failed, path: path, reason: "it lies in itself") }
            inside += nodes[next].map { Array($0.children.values) } ?? []
        }
    }

    private mutating func touch(_ node: Int) {
        ticks += 1
        nodes[node]?.modified = ticks
        nodes[node]?.changed = ticks
    }

    private mutating func change(_ change: Change) {
        apply(change, to: \.children)
        pending.append(change)
        for directory in change.directories { touch(directory) }
    }

    private mutating func apply(_ change: Change, to children: WritableKeyPath<Node, [Name: Int]>) {
        switch change {
        case .link(let directory, let name, let node):
            nodes[directory]?[keyPath: children][name] = node
        case .unlink(let directory, let name):
            nodes[directory]?[keyPath: children][name] = nil
        case .move(let from, let name, let to, let newName):
            guard let node = nodes[from]?[keyPath: children].removeValue(forKey: name) else { return }
            nodes[to]?[keyPath: children][newName] = node
        case .exchange(let one, let name, let other, let otherName):
            guard let first = nodes[one]?[keyPath: children][name],
                let second = nodes[other]?[keyPath: children][otherName]
            else { return }
            nodes[one]?[keyPath: children][name] = second
            nodes[other]?[keyPath: children][otherName] = first
        }
    }

    // MARK: Locks and open files

    mutating func lock(_ node: Int) -> Bool {
        guard nodes[node]?.isLocked == false else { return false }
        nodes[node]?.isLocked = true
        return true
    }

    mutating func unlock(_ node: Int) {
        nodes[node]?.isLocked = false
    }

    mutating func open(_ node: Int) {
        nodes[node]?.openCount += 1
    }

    mutating func close(_ node: Int) {
        nodes[node]?.openCount -= 1
    }

    // MARK: What outlives a crash

    mutating func synchronize(_ number: Int) {
        guard let node = nodes[number] else { return }
        nodes[number]?.safeBytes = node.bytes
        guard node.kind == .directory else { return }
        // A move is safe in both of its folders or in neither, and so is what has to come before it.
        var directories: Set<Int> = [number]
        var isSafe = [Bool](repeating: false, count: pending.count)
        for index in pending.indices.reversed() where !directories.isDisjoint(with: pending[index].directories) {
            isSafe[index] = true
            directories.formUnion(pending[index].directories)
        }
        for (change, isSafe) in zip(pending, isSafe) where isSafe { apply(change, to: \.safeChildren) }
        pending = zip(pending, isSafe).filter { !$0.1 }.map(\.0)
        if nodes.count > 2 * lastCount + 64 { forgetUnreachable() }
    }

    mutating func crash(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let isOrdered = seed.isMultiple(of: 2)
        var left = random.nextInt(below: pending.count + 1)
        for change in pending {
            let survives =
                switch seed {
                case 0: false
                case 1: true
                default: isOrdered ? left > 0 : random.nextBool(probability: 0.5)
                }
            left -= 1
            if survives { apply(change, to: \.safeChildren) }
        }
        pending = []
        epoch += 1
        for number in nodes.keys.sorted() {
            guard var node = nodes[number] else { continue }
            node.children = node.safeChildren
            node.bytes = Self.remains(of: node, seed: seed, random: &random)
            node.safeBytes = node.bytes
            node.openCount = 0
            node.isLocked = false
            nodes[number] = node
        }
        forgetUnreachable()
    }

    private static func remains(of node: Node, seed: UInt64, random: inout SeededRandom) -> [UInt8] {
        guard node.bytes != node.safeBytes, seed != 1 else { return node.bytes }
        guard seed != 0, random.nextBool(probability: 0.75) else { return node.safeBytes }
        // What was synchronised stays, as far as it was not written over since.
        let safe = node.bytes.starts(with: node.safeBytes) ? node.safeBytes.count : 0
        var bytes = Array(node.bytes.prefix(safe + random.nextInt(below: node.bytes.count - safe + 1)))
        let firstLost = min(node.safeBytes.count, bytes.count)
        if random.nextBool(probability: 0.5) {
            // The size got through, the blocks did not.
            bytes += [UInt8](repeating: 0, count: node.bytes.count - bytes.count)
            let start = firstLost + random.nextInt(below: bytes.count - firstLost + 1)
            for index in start..<bytes.count { bytes[index] = 0 }
        }
        return bytes
    }

    private mutating func forgetUnreachable() {
        var seen: Set<Int> = []
        var next = [Self.root] + nodes.filter { $0.value.openCount > 0 || $0.value.isLocked }.map(\.key)
        for case .link(_, _, let node) in pending { next.append(node) }
        for change in pending { next += change.directories }
        while let number = next.popLast() {
            guard seen.insert(number).inserted, let node = nodes[number] else { continue }
            next += node.children.values
            next += node.safeChildren.values
        }
        nodes = nodes.filter { seen.contains($0.key) }
        lastCount = nodes.count
    }
}
