internal import ListModel
internal import ListReplica
internal import Storage

/// From the words of the pure parts to those of the library.
extension ListError {
    /// `nil` where all that was asked for is so.
    init?(_ outcome: Outcome) {
        switch outcome {
        case .refused(let refusal): self.init(refusal)
        case .logged(_, let skips), .nothing(let skips):
            guard let skip = skips.first else { return nil }
            self.init(skip)
        }
    }

    init(_ refusal: Refusal) {
        var code = Code(refusal.code)
        // Only one bound is hit by an element: that of the elements of its list.
        if refusal.code == .tooMany, refusal.id != nil { code = .listFull }
        self.init(code, saying: refusal.sentence, id: refusal.id)
    }

    init(_ error: StorageError) {
        switch error {
        case .damaged, .foreign: self.init(.cacheDamaged, error.description)
        default: self.init(.storageFailed, saying: error.description)
        }
    }

    init(_ skip: Skip) {
        self.init(Code(skip.code), saying: Self.sentence(of: skip), id: skip.id, by: skip.by)
    }

    /// With what to do, where those who say what happened do not say it.
    init(_ code: Code, saying what: String, id: ElementID? = nil, by: UserName? = nil) {
        let says = what.contains("; ") || what.contains(". ")
        self.init(code, says ? what : "\(what); \(code.advice)", id: id, by: by)
    }

    private static func sentence(of skip: Skip) -> String {
        let id = skip.id.map { "\($0)" } ?? "it"
        let who = skip.by.map { " by \($0)" } ?? ""
        return switch skip.code {
        case .removed: "\(id) was removed\(who)"
        case .noSuchElement: "there is no element \(id)"
        case .noSuchAnchor: "the neighbour of the place is not in the list"
        case .notANumber: "the field of \(id) is no number"
        case .outOfRange: "the sum leaves the range of numbers"
        case .changedSince: "\(id) was changed\(who) meanwhile"
        case .beingEdited: "\(id) is being edited\(who)"
        default: "\(id) was not changed (\(skip.code.rawValue))"
        }
    }

    init(_ fault: EditorFault, of id: ElementID) {
        switch fault {
        case .vanished(let vanish):
            self.init(
                Code(vanish.code), saying: "\(id) is gone: \(vanish.sentence)", id: id,
                by: vanish.by)
        case .noSuchElement:
            self.init(.noSuchElement, saying: "there is no element \(id)", id: id)
        case .alreadyOpen:
            self.init(
                .alreadyOpen, "an editor is open on \(id) already; use that, or close it first",
                id: id)
        case .notOpen: self.init(.closed, "the editor on \(id) is closed; open another", id: id)
        case .readOnly:
            self.init(.readOnly, "a snapshot is a constant copy; edit with another policy", id: id)
        case .conflict(let fields):
            let names = fields.map(\.text).joined(separator: ", ")
            self.init(
                .conflict, "others changed \(names) meanwhile; overwrite, merge or discard",
                id: id, fields: fields)
        case .notVanished:
            self.init(.notVanished, "\(id) is still there; commit to it instead", id: id)
        case .committing:
            self.init(.committing, "a commit of \(id) is on its way; wait for its outcome", id: id)
        }
    }
}

extension Vanish {
    /// What happened, for people.
    var sentence: String {
        let who = by.map { " by \($0)" } ?? ""
        return switch cause {
        case .deleted: "it was removed\(who)"
        case .listDeleted: "its list was deleted\(who)"
        case .accessLost: "the right to read its list was taken away"
        case .rejected(let code): "it was never inserted: \(code.whyRejected)"
        case .missing: "it went while this client was away"
        }
    }
}

extension ListModel.Code {
    /// Of an insert, for people.
    fileprivate var whyRejected: String {
        switch self {
        case .idTaken: "its ID was taken by another"
        case .notAllowed, .accessLost: "there is no right to write"
        case .readOnly: "the list can only be read"
        case .wrongType: "the list's schema does not allow it"
        case .tooMany: "the list is full"
        case .tooLarge: "it is too large"
        case .noSuchAnchor: "the neighbour of its place is not in the list"
        default: "the server refused it (\(rawValue))"
        }
    }
}

extension ListError.Code {
    init(_ code: ListModel.Code) {
        self =
            switch code {
            case .noSuchAnchor: .noSuchPlace
            case .numberReused, .forgotten: .forgotten
            case .notOpen: .closed
            case .helloFirst, .unknownMessage, .malformed: .malformed
            case .removed, .noSuchElement, .notANumber, .outOfRange, .changedSince, .beingEdited,
                .idTaken, .wrongType, .skippedInAtomic, .tooLarge, .tooMany, .storageFailed,
                .readOnly, .noSuchList, .listExists, .listDeleted, .listUnreadable, .accessLost,
                .notAllowed, .notAuthenticated, .badName, .unsupportedVersion, .tooManyRequests,
                .draining,
                .unreachable:
                // Both sides have these words, and a test sees to it.
                Self(rawValue: code.rawValue) ?? .malformed
            }
    }
}
