/// Faults planted to try the simulation's checkers: each must be found (`make teeth`). In a normal
/// build `has` is always false, and nothing of a fault remains.
package enum Faults: String, CaseIterable, Sendable {
    // The model.
    case anchorOnTheWrongSide, countedTwice, conditionIgnored, needsIgnored, timeGoesBack
    case restoreLosesFields

    // The server.
    case toldBeforeDurable, sentBeforeDurable, dedupeOff, epochIgnored, outcomeOvertakes
    case failureNotVerified, gravesForgotten, snapshotOfWhatWaits, snapshotPartSkipped
    case presenceNotEnded, holesCountAsHeard, clientsForgotten, dropNotTold
    case subscribedTwice, fateForgottenEarly

    // The client.
    case cursorBeforeData, eventOnReload, retryRenumbered, draftNotStored, heardTooEarly
    case resyncForgetsPending, undoUnconditional, mergeTakesMine, vanishToldTwice
    case conflictIgnored, editorBoundToIndex, sentBeforeSaved, pendingForgottenWhenSent
    case anchoredUnderSentNumber, presenceAfterCommit, outcomeBeforeEntries
    case refusedInsertReturns, draftOfAnotherEditor, ownWriteIsNews, discardedComesBack
    case failedSaveForgotten, vanishNamesTheWriter, presenceToldTwice, hiddenNotTold, pinsForgotten
    case changeNamesTheRow

    #if SAMELIST_FAULTS
        nonisolated(unsafe) package static var planted: Faults?
        // because it is set once, before the first run begins.
        package static func has(_ fault: Faults) -> Bool { planted == fault }
    #else
        @inlinable package static func has(_ fault: Faults) -> Bool { false }
    #endif
}
