internal import ListModel

extension ListError.Code {
    /// What to do about it, for people.
    var advice: String {
        switch self {
        case .badAddress: "give it as ws://HOST:PORT"
        case .unknownHost: "look at the server's name, and whether there is a network"
        case .unreachable, .timedOut: "see that the server runs, or come back later"
        case .untrusted: "look at the server's certificate, and whether it speaks TLS"
        case .unsupportedVersion: "bring server and program to the same version"
        case .malformed: "bring server and program to the same version, and tell their makers"
        case .draining, .tooManyRequests: "come back in a moment"
        case .notAuthenticated: "give the credentials that the server asks for"
        case .notAllowed, .accessLost: "ask the owner of the list for the right"
        case .badName: "choose another name"
        case .noSuchList: "look at its name, or create it"
        case .listExists: "open it, or choose another name"
        case .listDeleted: "save what you need of it in another list"
        case .listUnreadable: "ask whoever runs the server to restore it"
        case .listFull: "remove elements, or use another list"
        case .readOnly: "read it, or change a copy"
        case .closed: "open it again"
        case .forgotten: "look whether it was done, and do it again if not"
        default: elementAdvice
        }
    }

    private var elementAdvice: String {
        switch self {
        case .undecodable: "correct the element, or give its type `defaults`"
        case .unencodable: "store another value"
        case .badID: "use 1-64 bytes of printable ASCII without spaces"
        case .noSuchElement: "insert it first"
        case .removed: "restore it, or insert it anew"
        case .idTaken: "insert it under another ID"
        case .noSuchPlace: "name another neighbour"
        case .tooLarge, .tooMany: "write less at once"
        case .wrongType: "write a value that the list's schema allows"
        case .notANumber: "set it first"
        case .outOfRange: "set the field instead"
        case .changedSince: "look at it and decide again"
        case .beingEdited: "ask them, or remove it all the same"
        case .skippedInAtomic: "look at what stood against the other operation"
        case .vanished: "save the draft as new, restore the element with it, or discard it"
        case .conflict: "overwrite, merge or discard"
        case .alreadyOpen: "use that, or close it first"
        case .notVanished: "commit to it instead"
        case .committing: "wait for its outcome"
        case .queueFull: "go on once some are sent"
        case .cacheDamaged: "move the file away to begin anew"
        case .storageFailed: "make room on the disk; nothing is lost meanwhile"
        case .nothingToUndo, .nothingToRedo: "there is nothing to do"
        case .cancelled: "wait again if you need to know"
        default: "try again"
        }
    }
}
