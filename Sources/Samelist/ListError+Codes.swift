extension ListError.Code {
    // On the way to the server.
    /// The text is no address of a server.
    public static let badAddress = Self(known: "bad_address")
    /// There is no address for the host's name.
    public static let unknownHost = Self(known: "unknown_host")
    /// Nobody answers there, or the connection broke.
    public static let unreachable = Self(known: "unreachable")
    /// The server's certificate is not trusted, or there is no TLS at the other end.
    public static let untrusted = Self(known: "untrusted")
    /// It took too long.
    public static let timedOut = Self(known: "timed_out")
    /// Server and library do not speak the same version of the protocol.
    public static let unsupportedVersion = Self(known: "unsupported_version")
    /// What came could not be understood.
    public static let malformed = Self(known: "malformed")
    /// The server is about to end and takes nothing more.
    public static let draining = Self(known: "draining")
    /// More requests than the server takes from one client.
    public static let tooManyRequests = Self(known: "too_many_requests")
    /// The server does not know who this is.
    public static let notAuthenticated = Self(known: "not_authenticated")
    /// No right to that.
    public static let notAllowed = Self(known: "not_allowed")

    // Lists.
    /// The name breaks the rules for names.
    public static let badName = Self(known: "bad_name")
    /// There is no list of that name.
    public static let noSuchList = Self(known: "no_such_list")
    /// There is a list of that name already.
    public static let listExists = Self(known: "list_exists")
    /// Somebody deleted the list.
    public static let listDeleted = Self(known: "list_deleted")
    /// The server cannot read what it stored of the list.
    public static let listUnreadable = Self(known: "list_unreadable")
    /// The list holds as many elements as it may.
    public static let listFull = Self(known: "list_full")
    /// It can be read, not written.
    public static let readOnly = Self(known: "read_only")
    /// The right to read the list was taken away.
    public static let accessLost = Self(known: "access_lost")
    /// The list, or the client, was closed by this program.
    public static let closed = Self(known: "closed")

    // Elements.
    /// The stored fields are no value of the element's type.
    public static let undecodable = Self(known: "undecodable")
    /// The value cannot be stored as fields.
    public static let unencodable = Self(known: "unencodable")
    /// The ID is none: 1-64 bytes of printable ASCII without spaces.
    public static let badID = Self(known: "bad_id")
    /// The ID was never in the list.
    public static let noSuchElement = Self(known: "no_such_element")
    /// The element was deleted.
    public static let removed = Self(known: "removed")
    /// The ID was used before in this list.
    public static let idTaken = Self(known: "id_taken")
    /// The neighbour of the place was never in the list.
    public static let noSuchPlace = Self(known: "no_such_place")
    /// More bytes than the server takes; the sentence says how many.
    public static let tooLarge = Self(known: "too_large")
    /// More than the server takes; the sentence says of what.
    public static let tooMany = Self(known: "too_many")
    /// The list's schema forbids the value.
    public static let wrongType = Self(known: "wrong_type")
    /// There is no number to add to.
    public static let notANumber = Self(known: "not_a_number")
    /// The sum leaves the range of numbers.
    public static let outOfRange = Self(known: "out_of_range")
    /// Somebody changed the same thing meanwhile.
    public static let changedSince = Self(known: "changed_since")
    /// Somebody has an editor open on it.
    public static let beingEdited = Self(known: "being_edited")
    /// Another operation of the same whole could not be done.
    public static let skippedInAtomic = Self(known: "skipped_in_atomic")

    // Editors.
    /// The element under the editor is gone.
    public static let vanished = Self(known: "vanished")
    /// Others changed what the draft changes.
    public static let conflict = Self(known: "conflict")
    /// An editor with another policy is open on the element.
    public static let alreadyOpen = Self(known: "already_open")
    /// Only a vanished editor can do that.
    public static let notVanished = Self(known: "not_vanished")
    /// A commit is on its way.
    public static let committing = Self(known: "committing")

    // This client.
    /// So much waits for the server that no more is taken.
    public static let queueFull = Self(known: "queue_full")
    /// The copy kept on this machine cannot be read.
    public static let cacheDamaged = Self(known: "cache_damaged")
    /// What was done cannot be kept: by this machine, or by the server.
    public static let storageFailed = Self(known: "storage_failed")
    /// The server has forgotten this client, and whether the work was logged.
    public static let forgotten = Self(known: "forgotten")
    /// There is no work of one's own to take back.
    public static let nothingToUndo = Self(known: "nothing_to_undo")
    /// There is nothing that was taken back.
    public static let nothingToRedo = Self(known: "nothing_to_redo")
    /// The task that waited was cancelled; what it waited for goes on.
    public static let cancelled = Self(known: "cancelled")
}

extension ListError.Code: CaseIterable {
    /// All there are.
    public static let allCases: [ListError.Code] = [
        .badAddress, .unknownHost, .unreachable, .untrusted, .timedOut, .unsupportedVersion,
        .malformed, .draining, .tooManyRequests, .notAuthenticated, .notAllowed, .badName,
        .noSuchList, .listExists, .listDeleted, .listUnreadable, .listFull, .readOnly,
        .accessLost, .closed, .undecodable, .unencodable, .badID, .noSuchElement, .removed,
        .idTaken, .noSuchPlace, .tooLarge, .tooMany, .wrongType, .notANumber, .outOfRange,
        .changedSince, .beingEdited, .skippedInAtomic, .vanished, .conflict, .alreadyOpen,
        .notVanished, .committing, .queueFull, .cacheDamaged, .storageFailed, .forgotten,
        .nothingToUndo, .nothingToRedo, .cancelled,
    ]
}
