/// Why an operation was skipped, or something refused. The raw values are the words on the wire and
/// in the shell; their meaning stands in docs/protocol.md.
public enum Code: String, Hashable, Sendable, CaseIterable {
    // Skips, by resolution.
    case removed
    case noSuchElement = "no_such_element"
    case noSuchAnchor = "no_such_anchor"
    case notANumber = "not_a_number"
    case outOfRange = "out_of_range"
    case changedSince = "changed_since"
    case beingEdited = "being_edited"
    // Refusals of a whole mutation.
    case idTaken = "id_taken"
    case wrongType = "wrong_type"
    case skippedInAtomic = "skipped_in_atomic"
    case tooLarge = "too_large"
    case tooMany = "too_many"
    case numberReused = "number_reused"
    case forgotten
    case storageFailed = "storage_failed"
    case readOnly = "read_only"
    // Lists.
    case noSuchList = "no_such_list"
    case listExists = "list_exists"
    case listDeleted = "list_deleted"
    case listUnreadable = "list_unreadable"
    case notOpen = "not_open"
    case accessLost = "access_lost"
    case notAllowed = "not_allowed"
    case notAuthenticated = "not_authenticated"
    // Messages.
    case malformed
    case unknownMessage = "unknown_message"
    case badName = "bad_name"
    case helloFirst = "hello_first"
    case unsupportedVersion = "unsupported_version"
    case tooManyRequests = "too_many_requests"
    case draining
    // A client's own words for what happens on its side.
    case unreachable
}

/// An operation that was left out of its mutation: which, why and who caused it.
public struct Skip: Hashable, Sendable {
    /// Index of the operation in its mutation.
    public let operation: Int
    /// The element; `nil` where the operation names none.
    public let id: ElementID?
    public let code: Code
    /// Who deleted it, changed it or edits it.
    public let by: UserName?

    public init(operation: Int, id: ElementID?, code: Code, by: UserName? = nil) {
        self.operation = operation
        self.id = id
        self.code = code
        self.by = by
    }
}

/// A typed "no" with a sentence that says what to do; numbers in it are limits that were hit.
public struct Refusal: Hashable, Sendable, Error {
    public let code: Code
    public let sentence: String
    /// The element that caused it, where one did.
    public let id: ElementID?

    public init(_ code: Code, _ sentence: String, id: ElementID? = nil) {
        self.code = code
        self.sentence = sentence
        self.id = id
    }
}

/// What became of a mutation.
public enum Outcome: Hashable, Sendable {
    /// Logged at a version, but for the skipped operations.
    case logged(Version, skips: [Skip])
    /// Nothing remained to be logged; `skips` is empty where there was nothing to do.
    case nothing(skips: [Skip])
    case refused(Refusal)
}
