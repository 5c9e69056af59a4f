public import ListModel

/// What went wrong, as a value: a stable code, whether trying again may help, and a sentence that
/// says what to do. Nothing that was typed is lost by any of them.
public struct ListError: Error, Hashable, Sendable {
    /// Which error it is.
    public let code: Code
    /// What happened and what to do, for people.
    public let sentence: String
    /// The element that it is about, where it is about one.
    public let id: ElementID?
    /// Who caused it, where that is known.
    public let by: UserName?

    /// An error of one's own in these words.
    public init(
        _ code: Code, _ sentence: String, id: ElementID? = nil, by: UserName? = nil
    ) {
        self.code = code
        self.sentence = sentence
        self.id = id
        self.by = by
    }

    /// Whether the same may succeed later without anything being changed.
    public var isTemporary: Bool { code.isTemporary }
}

extension ListError {
    /// The raw values are stable: they may be logged, compared and stored.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        // On the way to the server.
        /// The text is no address of a server.
        case badAddress = "bad_address"
        /// There is no address for the host's name.
        case unknownHost = "unknown_host"
        /// Nobody answers there, or the connection broke.
        case unreachable
        /// The server's certificate is not trusted, or there is no TLS at the other end.
        case untrusted
        /// It took too long.
        case timedOut = "timed_out"
        /// Server and library do not speak the same version of the protocol.
        case unsupportedVersion = "unsupported_version"
        /// What came could not be understood.
        case malformed
        /// The server is about to end and takes nothing more.
        case draining
        /// More requests than the server takes from one client.
        case tooManyRequests = "too_many_requests"
        /// The server does not know who this is.
        case notAuthenticated = "not_authenticated"
        /// No right to that.
        case notAllowed = "not_allowed"

        // Lists.
        /// The name breaks the rules for names.
        case badName = "bad_name"
        /// There is no list of that name.
        case noSuchList = "no_such_list"
        /// There is a list of that name already.
        case listExists = "list_exists"
        /// Somebody deleted the list.
        case listDeleted = "list_deleted"
        /// The server cannot read what it stored of the list.
        case listUnreadable = "list_unreadable"
        /// The list holds as many elements as it may.
        case listFull = "list_full"
        /// It can be read, not written.
        case readOnly = "read_only"
        /// The right to read the list was taken away.
        case accessLost = "access_lost"
        /// The list, or the client, was closed by this program.
        case closed

        // Elements.
        /// The stored fields are no value of the element's type.
        case undecodable
        /// The value cannot be stored as fields.
        case unencodable
        /// The ID is none: 1-64 bytes of printable ASCII without spaces.
        case badID = "bad_id"
        /// The ID was never in the list.
        case noSuchElement = "no_such_element"
        /// The element was deleted.
        case removed
        /// The ID was used before in this list.
        case idTaken = "id_taken"
        /// The neighbour of the place was never in the list.
        case noSuchPlace = "no_such_place"
        /// More bytes than the server takes; the sentence says how many.
        case tooLarge = "too_large"
        /// More than the server takes; the sentence says of what.
        case tooMany = "too_many"
        /// The list's schema forbids the value.
        case wrongType = "wrong_type"
        /// There is no number to add to.
        case notANumber = "not_a_number"
        /// The sum leaves the range of numbers.
        case outOfRange = "out_of_range"
        /// Somebody changed the same thing meanwhile.
        case changedSince = "changed_since"
        /// Somebody has an editor open on it.
        case beingEdited = "being_edited"
        /// Another operation of the same whole could not be done.
        case skippedInAtomic = "skipped_in_atomic"

        // Editors.
        /// The element under the editor is gone.
        case vanished
        /// Others changed what the draft changes.
        case conflict
        /// An editor with another policy is open on the element.
        case alreadyOpen = "already_open"
        /// Only a vanished editor can do that.
        case notVanished = "not_vanished"
        /// A commit is on its way.
        case committing

        // This client.
        /// So much waits for the server that no more is taken.
        case queueFull = "queue_full"
        /// The copy kept on this machine cannot be read.
        case cacheDamaged = "cache_damaged"
        /// What was done cannot be kept: by this machine, or by the server.
        case storageFailed = "storage_failed"
        /// The server has forgotten this client, and whether the work was logged.
        case forgotten
        /// There is no work of one's own to take back.
        case nothingToUndo = "nothing_to_undo"
        /// There is nothing that was taken back.
        case nothingToRedo = "nothing_to_redo"
        /// The task that waited was cancelled; what it waited for goes on.
        case cancelled

        /// Whether the same may succeed later without anything being changed.
        public var isTemporary: Bool {
            switch self {
            case .unknownHost, .unreachable, .timedOut, .draining, .tooManyRequests,
                .storageFailed, .beingEdited, .committing, .queueFull, .cancelled:
                true
            default: false
            }
        }
    }
}

extension ListError: CustomStringConvertible {
    /// The sentence.
    public var description: String { sentence }
}
