package import ListModel

/// A handle on one element, by ID: it follows the element wherever it stands, tells what happens to
/// it, and never shows another element's data.
///
/// ```
/// open ──deleted, refused, lost──▶ vanished ──restored──▶ open
///   └──commit, cancel──▶ closed        └──save as new, restore with the draft, cancel──▶ closed
/// ```
package struct Editor: Sendable {
    package typealias Policy = EditorPolicy

    package enum State: Hashable, Sendable {
        case open
        case vanished(Vanish)
    }

    /// What makes the element this editor's: an ID may be claimed by two inserts, of which one is
    /// refused.
    package enum Birth: Hashable, Sendable {
        case confirmed
        case pending(MutationNumber)
    }

    package let id: ElementID
    package let policy: Policy
    /// Editors are told of one batch in the order in which they were opened.
    let serial: UInt64
    package internal(set) var state = State.open
    package internal(set) var birth: Birth
    /// The element as the editor last showed it; of a vanished one, its last value.
    package internal(set) var shown: Fields
    /// The fields touched in the draft, with the values typed; `.null` removes one.
    package internal(set) var touched = Fields()
    /// What the touched fields were when they were first touched.
    package internal(set) var base = Fields()
    /// What the element had in the touched fields when the editor was last told.
    package internal(set) var theirs = Fields()
    /// Who wrote each field last since the editor was opened or a snapshot came, told or not: own
    /// work may lie over it, which comes to nothing later.
    var writers: [FieldName: UserName] = [:]
    /// Whom the row named in the last snapshot since the editor was opened: it does not say who
    /// wrote which field.
    var rowWriter: UserName?
    /// Who restored the element while own work kept it from coming back.
    var restorer: UserName?
    /// Whom the row named in a snapshot that had the element, while one's own restoring waited.
    var rowRestorer: UserName?
    /// The mutation that carries the draft, while its outcome is awaited.
    package internal(set) var commit: Commit?
    /// The view it is looked at through.
    var view: ViewNumber
    /// Whether the element is among the results of that view; `nil`: there is none.
    package internal(set) var isInView: Bool?
    /// Who else edits the element, as last told.
    package internal(set) var others: [UserName] = []

    package struct Commit: Hashable, Sendable {
        package enum Mode: String, Hashable, Sendable {
            case ifUnchanged
            case overwrite
            case merge
            case saveNew
            case restore
        }

        package internal(set) var n: MutationNumber
        package let mode: Mode
        /// What it writes: the draft, or what a merge made of it.
        package internal(set) var written = Fields()
        /// How often it was proposed anew because the element had changed meanwhile.
        var tries = 0
    }

    init(
        _ element: Element, policy: Policy, serial: UInt64, birth: Birth,
        view: ViewNumber = .shell, isInView: Bool?
    ) {
        id = element.id
        self.policy = policy
        self.serial = serial
        self.birth = birth
        self.view = view
        self.isInView = isInView
        shown = element.fields
    }

    package var hasDraft: Bool { !touched.isEmpty }

    package var vanish: Vanish? {
        if case .vanished(let vanish) = state { return vanish }
        return nil
    }

    /// What the editor shows: the element, under what was typed.
    package var value: Fields { shown.writing(touched) }

    /// The touched fields in which somebody else's value stands against the draft's.
    package var conflicts: [FieldName] {
        touched.pairs.map(\.name).filter { name in
            let theirs = theirs[name] ?? .null
            return theirs != base[name] && theirs != touched[name]
        }
    }

    /// Types into the draft; touching a field takes note of what it was, or of what the typist saw
    /// instead.
    mutating func type(_ changes: Fields, over seen: Fields? = nil) {
        for pair in changes.pairs {
            if touched[pair.name] == nil {
                base[pair.name] = (seen ?? shown)[pair.name] ?? .null
                theirs[pair.name] = shown[pair.name] ?? .null
            }
            touched[pair.name] = pair.value
            // Typed back to what it was, a field is as if it had never been touched.
            guard base[pair.name] == pair.value else { continue }
            touched[pair.name] = nil
            base[pair.name] = nil
            theirs[pair.name] = nil
        }
    }
}
