internal import ListModel
internal import ListProtocol
internal import ListReplica

/// A line of the shell's language, understood (design.md, section 5).
enum ShellCommand: Equatable {
    case open(ListName, create: Bool)
    case add(Fields, id: ElementID?, Place)
    case set(ElementID, Fields)
    case count(ElementID, FieldName, Value)
    case move([ElementID], Place)
    case delete([ElementID], unlessEdited: Bool)
    case restore(ElementID, withDraft: Bool)
    case undo
    case redo
    case list
    case filter(Filter, pins: Bool)
    case sort(Sort?)
    case edit(ElementID, Editor.Policy)
    case draft(ElementID, Fields)
    case commit(ElementID, Editor.Commit.Mode)
    case cancel(ElementID)
    case saveNew(ElementID, id: ElementID?, Place?)
    case editors
    case pending
    case discard(MutationNumber)
    case who
    case history(ElementID?)
    case dropList
    case offline
    case online
    case sync
    case reload
    case quit
    case help
}

/// A line that is no command: what is wrong, and what to do.
struct UsageFault: Error, Equatable {
    let sentence: String
    init(_ sentence: String) { self.sentence = sentence }
}
