package import ListModel
package import ListProtocol

/// What the user of a client is told.
package enum News: Sendable {
    /// The list is as the server has it; also after every resynchronisation.
    case caughtUp(ListName)
    /// What was logged, in order, where the list tells it. A gap in the versions means that the
    /// list was fetched whole.
    case entries(ListName, [Entry])
    /// The list could not be opened.
    case failed(ListName, Refusal)
    /// The list is no more, or no longer to be read.
    case closed(ListName, ServerMessage.Gone)
    /// The list is the same, its log another; told before the difference.
    case logReplaced(ListName, LogReplacement)
    case editor(ListName, ElementID, EditorEvent)
    /// Rows may have changed; told once a batch.
    case changed(ListName)
    case outcome(ListName, MutationNumber, Report)
    /// An editor's commit is done, and the editor closed.
    case committed(ListName, ElementID, MutationNumber, Outcome)
    case presence(ListName)
    case answer(RequestID, Reply)
    case link(Link.State)
    /// All state writes up to this ticket are durable.
    case saved(UInt64)
    /// What was done cannot be kept on this machine; it is tried again with the next write.
    case stateFailed(String)
}

/// What became of a mutation of this client.
package struct Report: Hashable, Sendable {
    package let answer: ServerMessage.Answer
    /// What was proposed.
    package let operations: [Operation]
    /// The editor whose draft it carried: that editor tells the outcome.
    package let editor: ElementID?

    /// The elements of its operations, by operation.
    package var targets: [[ElementID]] { operations.map(\.targets) }
}

/// The answer to a question.
package enum Reply: Hashable, Sendable {
    case done
    case synced
    case lists([ListSummary])
    case who([Presence])
    case history([Entry])
    case fates([Fate])
    case error(Refusal)
}

/// A write to the client's durable state; those of one ticket are written together.
package enum StateWrite: Hashable, Sendable {
    case put(String, [UInt8])
    case remove(String)
    case removePrefix(String)
}
