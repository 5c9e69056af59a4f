/// What a step does. Raw values are the words of printed scripts.
package enum Doing: String, Sendable, CaseIterable {
    // Operations of a person.
    case add, set, note, count, move, delete, restore, several, conditional
    case undo, redo
    case edit, type, commit, cancel, saveNew, restoreWithDraft
    case filter
    case discard, reload, offline, online, drop
    // What goes wrong.
    case cut, partition, crash, serverCrash, backup, restoreBackup, diskFull, slow, clock
    case stateFull, copyState, setBack

    /// How often it is planned among the others of its kind.
    var weight: Int {
        switch self {
        case .add: 14
        case .set: 10
        case .note, .count, .move, .edit, .type: 8
        case .delete, .commit: 6
        case .restore, .several, .conditional, .undo: 4
        case .redo, .cancel, .saveNew, .restoreWithDraft: 3
        case .filter: 2
        case .discard, .offline, .online: 2
        case .reload, .slow, .partition, .diskFull, .backup, .clock, .stateFull: 1
        case .cut: 4
        case .crash, .serverCrash: 3
        case .drop, .restoreBackup: 1
        case .copyState, .setBack: 2
        }
    }

    var isFault: Bool {
        switch self {
        case .cut, .partition, .crash, .serverCrash, .backup, .restoreBackup, .diskFull, .slow,
            .clock, .stateFull, .copyState, .setBack:
            true
        default: false
        }
    }
}

/// One thing that is planned to happen. It carries its own luck, so that leaving others out changes
/// little of what it does.
package struct Step: Sendable {
    /// Milliseconds before it.
    package let pause: Int64
    package let person: Int
    package let doing: Doing
    package let luck: UInt64
}
