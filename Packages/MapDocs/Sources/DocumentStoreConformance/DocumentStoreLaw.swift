import MapDocs
public import Testing

/// The promises of ``MapDocs/DocumentStore``, one case each.
///
/// A backend's test runs all of them, each on a store of its own:
///
/// ```swift
/// @Test(arguments: DocumentStoreLaw.allCases)
/// func obeys(_ law: DocumentStoreLaw) async throws {
///     await law.check { DocumentStoreSubject(try MyDocumentStore(inEmpty: folder)) }
/// }
/// ```
public enum DocumentStoreLaw: String, CaseIterable, Sendable {
    // What is there.
    case listsInByteOrder
    case listsTheRevisionsThatAreThere
    case watchGivesThePresentAndThenTheNewest
    case slowWatcherGetsTheNewest
    case watchKeepsTheLastKnownWhileUnavailable
    case missingDocumentIsNotFound
    case revisionIsThatOfTheContent
    case unknownRevisionIsSaid

    // Fetching.
    case fetchGivesWhatWasPublished
    case everyFileSurvives
    case progressGrowsToTheWhole
    case fetchIsWholeWhileSomebodyPublishes
    case damagedDocumentIsNeverCommitted
    case destinationIsCommittedOnce
    case failedDestinationIsDiscarded
    case cancelledFetchLeavesNothing
    case fetchCancelledHalfwayLeavesNothing

    // Publishing.
    case publishReportsWhatIsThere
    case presentDocumentIsNotCreatedAgain
    case goneDocumentIsNotBroughtBack
    case olderBaseIsAConflict
    case otherContentIsAConflict
    case datesDecideNothing
    case conflictWritesNothing
    case unknownRevisionRefusesToPublish
    case meetingPublishersHaveOneWinner
    case racingPublishersHaveOneWinner
    case otherStoreSeesWhatWasPublished
    case otherStoreCannotOverwrite
    case documentsAreSeparate
    case wrongFingerprintIsRefused
    case wrongBytesAreRefused
    case longerBytesAreRefused
    case numberMustGrow
    case unreadablePackageWritesNothing
    case cancelledPublishWritesNothing
    case publishCancelledHalfwayWritesNothing

    // Conflict copies.
    case conflictCopiesAreNeverOverwritten
    case racingConflictCopiesAreAllKept
    case conflictCopyIsMarked
    case conflictCopyLeavesTheDocument
    case wrongConflictCopyIsRefused
    case cancelledConflictCopyWritesNothing

    // Reasons.
    case unavailableSaysSoInEveryCall
    case errorsNameTheDocument

    /// What a backend has to be able to do for the law to apply to it.
    public var needs: Set<DocumentStoreAbility> {
        switch self {
        case .watchKeepsTheLastKnownWhileUnavailable, .unavailableSaysSoInEveryCall: [.becomesUnavailable]
        case .unknownRevisionIsSaid, .unknownRevisionRefusesToPublish: [.hidesRevisions]
        case .revisionIsThatOfTheContent, .otherContentIsAConflict: [.changesBehindItsBack]
        case .damagedDocumentIsNeverCommitted: [.becomesDamaged]
        case .otherStoreSeesWhatWasPublished, .otherStoreCannotOverwrite: [.sharesItsPlace]
        default: []
        }
    }

    /// Checks the law on an empty store.
    ///
    /// - Parameter subject: An empty store that nothing else uses; made anew for each law.
    /// - Returns: How the law was broken, or nil when it was kept or does not apply.
    public func violation(in subject: DocumentStoreSubject) async -> String? {
        guard needs.isSubset(of: subject.abilities) else { return nil }
        do {
            try await hold(LawBench(subject: subject))
            return nil
        } catch let violation as LawViolation {
            return violation.message
        } catch {
            return "It ended in an error: \(error)"
        }
    }

    /// Checks the law on an empty store and records an issue when it is broken.
    ///
    /// - Parameters:
    ///   - sourceLocation: Where the issue is recorded.
    ///   - makeSubject: Makes an empty store that nothing else uses.
    public func check(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ makeSubject: () async throws -> DocumentStoreSubject
    ) async {
        do {
            if let violation = await violation(in: try await makeSubject()) {
                Issue.record("\(rawValue): \(violation)", sourceLocation: sourceLocation)
            }
        } catch {
            Issue.record("\(rawValue): there is no store: \(error)", sourceLocation: sourceLocation)
        }
    }

    private func hold(_ bench: LawBench) async throws {
        switch self {
        case .listsInByteOrder: try await bench.listsInByteOrder()
        case .listsTheRevisionsThatAreThere: try await bench.listsTheRevisionsThatAreThere()
        case .watchGivesThePresentAndThenTheNewest: try await bench.watchGivesThePresentAndThenTheNewest()
        case .slowWatcherGetsTheNewest: try await bench.slowWatcherGetsTheNewest()
        case .watchKeepsTheLastKnownWhileUnavailable: try await bench.watchKeepsTheLastKnownWhileUnavailable()
        case .missingDocumentIsNotFound: try await bench.missingDocumentIsNotFound()
        case .revisionIsThatOfTheContent: try await bench.revisionIsThatOfTheContent()
        case .unknownRevisionIsSaid: try await bench.unknownRevisionIsSaid()
        case .fetchGivesWhatWasPublished: try await bench.fetchGivesWhatWasPublished()
        case .everyFileSurvives: try await bench.everyFileSurvives()
        case .progressGrowsToTheWhole: try await bench.progressGrowsToTheWhole()
        case .fetchIsWholeWhileSomebodyPublishes: try await bench.fetchIsWholeWhileSomebodyPublishes()
        case .damagedDocumentIsNeverCommitted: try await bench.damagedDocumentIsNeverCommitted()
        case .destinationIsCommittedOnce: try await bench.destinationIsCommittedOnce()
        case .failedDestinationIsDiscarded: try await bench.failedDestinationIsDiscarded()
        case .cancelledFetchLeavesNothing: try await bench.cancelledFetchLeavesNothing()
        case .fetchCancelledHalfwayLeavesNothing: try await bench.fetchCancelledHalfwayLeavesNothing()
        case .publishReportsWhatIsThere: try await bench.publishReportsWhatIsThere()
        case .presentDocumentIsNotCreatedAgain: try await bench.presentDocumentIsNotCreatedAgain()
        case .goneDocumentIsNotBroughtBack: try await bench.goneDocumentIsNotBroughtBack()
        case .olderBaseIsAConflict: try await bench.olderBaseIsAConflict()
        case .otherContentIsAConflict: try await bench.otherContentIsAConflict()
        case .datesDecideNothing: try await bench.datesDecideNothing()
        case .conflictWritesNothing: try await bench.conflictWritesNothing()
        case .unknownRevisionRefusesToPublish: try await bench.unknownRevisionRefusesToPublish()
        case .meetingPublishersHaveOneWinner: try await bench.meetingPublishersHaveOneWinner()
        case .racingPublishersHaveOneWinner: try await bench.racingPublishersHaveOneWinner()
        case .otherStoreSeesWhatWasPublished: try await bench.otherStoreSeesWhatWasPublished()
        case .otherStoreCannotOverwrite: try await bench.otherStoreCannotOverwrite()
        case .documentsAreSeparate: try await bench.documentsAreSeparate()
        case .wrongFingerprintIsRefused: try await bench.wrongFingerprintIsRefused()
        case .wrongBytesAreRefused: try await bench.wrongBytesAreRefused(longer: false)
        case .longerBytesAreRefused: try await bench.wrongBytesAreRefused(longer: true)
        case .numberMustGrow: try await bench.numberMustGrow()
        case .unreadablePackageWritesNothing: try await bench.unreadablePackageWritesNothing()
        case .cancelledPublishWritesNothing: try await bench.cancelledPublishWritesNothing()
        case .publishCancelledHalfwayWritesNothing: try await bench.publishCancelledHalfwayWritesNothing()
        case .conflictCopiesAreNeverOverwritten: try await bench.conflictCopiesAreNeverOverwritten()
        case .racingConflictCopiesAreAllKept: try await bench.racingConflictCopiesAreAllKept()
        case .conflictCopyIsMarked: try await bench.conflictCopyIsMarked()
        case .conflictCopyLeavesTheDocument: try await bench.conflictCopyLeavesTheDocument()
        case .wrongConflictCopyIsRefused: try await bench.wrongConflictCopyIsRefused()
        case .cancelledConflictCopyWritesNothing: try await bench.cancelledConflictCopyWritesNothing()
        case .unavailableSaysSoInEveryCall: try await bench.unavailableSaysSoInEveryCall()
        case .errorsNameTheDocument: try await bench.errorsNameTheDocument()
        }
    }
}
