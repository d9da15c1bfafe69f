import MapDocs

extension LawBench {
    func conflictCopiesAreNeverOverwritten() async throws {
        let copies = try copies()
        for (number, data) in [(1, "one"), (2, "two"), (3, "three")] {
            let name = try await store.createConflictCopy(try staged(2, data), named: copies)
            try require(
                name == copies.candidate(number),
                "copy \(number) is called “\(name.title)” and not “\(copies.candidate(number).title)”"
            )
        }
        try await requireContent("one", "after more copies were made", of: copies.candidate(1))
        try await requireContent("two", "after more copies were made", of: copies.candidate(2))
        try await requireContent("three", "when it was made", of: copies.candidate(3))
    }

    func racingConflictCopiesAreAllKept() async throws {
        let copies = try copies()
        let stores = [store, subject.otherStore ?? store]
        let names = try await withThrowingTaskGroup(of: DocumentName.self) { group in
            for index in 0..<6 {
                let staged = try staged(2, "edit \(index)")
                group.addTask { try await stores[index % 2].createConflictCopy(staged, named: copies) }
            }
            return try await group.reduce(into: Set<DocumentName>()) { $0.insert($1) }
        }
        let expected = Set((1...6).map(copies.candidate))
        try require(names == expected, "six copies at once are called \(names.map(\.title).sorted())")
        var contents: Set<String> = []
        for name in names {
            contents.insert(String(decoding: try await fetch(name).package["data.gpkg"] ?? [], as: UTF8.self))
        }
        try require(contents.count == 6, "of six copies \(contents.count) are left")
    }

    func conflictCopyIsMarked() async throws {
        try await publish(1, "one")
        let copy = try await store.createConflictCopy(try staged(2, "mine", at: 1_000), named: try copies())
        let marks = try await store.list().map { "\($0.name.title): \($0.isConflictCopy)" }
        try require(
            Set(marks) == ["Harbour: false", "\(copy.title): true"],
            "the list marks as conflict copies: \(marks)"
        )
        let revision = try await store.currentRevision(of: copy)
        try require(try revision == staged(2, "mine", at: 1_000).revision, "the copy has the revision \(revision)")
    }

    func conflictCopyLeavesTheDocument() async throws {
        let first = try await publish(1, "one")
        _ = try await store.createConflictCopy(try staged(2, "mine"), named: try copies())
        try require(try await store.currentRevision(of: try name()) == first, "a conflict copy changes the document")
        try await requireContent("one", "after a conflict copy")
    }

    func wrongConflictCopyIsRefused() async throws {
        let mine = try staged(2, "mine")
        let lying = LyingContents(
            files: mine.contents.files,
            inner: try InMemoryDocumentContents(package("MINE"), digest: digest)
        )
        let found = try await code(of: "keeping a copy that is damaged") {
            let wrong = StagedDocument(revision: mine.revision, contents: lying)
            _ = try await store.createConflictCopy(wrong, named: try copies())
        }
        try require(found == .damaged, "keeping a copy that is damaged fails with \(found)")
        try await requireNothingThere("after a refused copy")
    }

    func cancelledConflictCopyWritesNothing() async throws {
        let mine = try staged(2, "mine")
        let copies = try copies()
        try await requireCancelled("keeping a copy") { _ = try await store.createConflictCopy(mine, named: copies) }
        try await requireNothingThere("after a cancelled copy")
    }
}
