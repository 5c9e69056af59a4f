import Samelist

struct User: ListElement {
    var id = ElementID.new()
    var name: String
}

/// A screen that shows one user, and what it says. None of them is given a row number: whatever
/// happens to the list, a screen means the user it was opened on.
@MainActor
protocol Screen {
    var text: String { get }
}

/// Shows a user and changes nothing. Of one that is gone it shows the last value, and who did it.
struct ReadOnlyScreen: Screen {
    private let editor: Editor<User>

    init(_ users: LiveList<User>, _ id: User.ID) throws {
        editor = try users.edit(id, policy: .live)
    }

    var text: String {
        guard let gone = editor.vanished else { return editor.element.name }
        return "\(gone.last.name), \(gone.sentence)"
    }
}

/// Asks the list at every look. Reading what is gone answers `nil`; it never answers a neighbour.
struct CheckingScreen: Screen {
    let users: LiveList<User>
    let id: User.ID

    var text: String { users[id: id]?.name ?? "this user is no longer there" }
}

/// Has a draft of its own, which outlives the user.
struct DraftScreen: Screen {
    private let editor: Editor<User>

    init(_ users: LiveList<User>, _ id: User.ID) throws {
        editor = try users.edit(id, policy: .draft)
        editor.draft.name += " Lee"
    }

    var text: String {
        guard let gone = editor.vanished else { return "draft \(editor.draft.name)" }
        return "\(gone.sentence), the draft \(gone.draft.name) is kept"
    }
}

/// Writes through to the list. A write that comes too late goes nowhere, and says so.
final class EditableScreen: Screen {
    @Binding private var user: User
    private var refusal: ListError?

    init(_ users: LiveList<User>, _ id: User.ID) throws {
        _user = try users.binding(for: id)
        _user = _user.onRefusal { [weak self] in self?.refusal = $0 }
    }

    func rename(_ name: String) { user.name = name }

    var text: String { refusal.map { "\(user.name), not renamed: \($0.sentence)" } ?? user.name }
}

/// Is opened by a link, without the list around it: it opens the list itself.
struct LinkedScreen: Screen {
    private let editor: Editor<User>

    init(_ client: ListClient, _ list: String, _ id: User.ID) async throws {
        let users: LiveList<User> = try await client.open(list)
        editor = try users.edit(id, policy: .snapshot)
    }

    var text: String {
        guard let gone = editor.vanished else { return editor.element.name }
        return "\(editor.element.name), \(gone.sentence)"
    }
}
