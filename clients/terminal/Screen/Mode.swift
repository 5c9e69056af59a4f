internal import ListModel
internal import ListReplica

/// What the keys mean now.
///
/// ```
/// browsing ──e──▶ writing ──Enter──▶ browsing         the row vanished
///    │               └──Enter, others wrote there──▶ conflict    │
///    ├──a──▶ adding                                              ▼
///    ├──E──▶ outside (another program has the terminal)       vanished ──n r Esc Esc──▶ browsing
///    ├──/ f──▶ asking
///    ├──d, several rows──▶ confirming
///    └──? H──▶ reading
/// ```
enum Mode {
    case browsing
    case asking(Question)
    /// Whether these rows shall go.
    case confirming([ElementID])
    case writing(Writing)
    /// A row that does not exist yet.
    case adding(LineField)
    case vanished(Vanished)
    case conflict(ElementID)
    /// Another program edits the row in a file.
    case outside(Outside)
    case reading(Reading)

    /// The element whose editor has the keys.
    var edited: ElementID? {
        switch self {
        case .writing(let writing): writing.id
        case .vanished(let vanished): vanished.id
        case .conflict(let id): id
        case .outside(let outside): outside.id
        case .browsing, .asking, .confirming, .adding, .reading: nil
        }
    }
}

/// A line asked for below the rows.
struct Question {
    enum Kind { case search, filter }

    let kind: Kind
    var field: LineField
}

/// An editor on an element: its title in its row, or all its fields in a form.
struct Writing {
    let id: ElementID
    var inputs: [Input]
    /// Which input has the keys; one more than there are: the line for a new field.
    var focus = 0
    var isForm = false
    /// A new field being typed as `NAME=VALUE`, and its name, once it has one.
    var newField = LineField()
    var newName: FieldName?
    /// Set while there is no draft to type into.
    var ahead: Ahead?

    /// The last commit of the row is on its way: what is typed goes into a draft once its outcome
    /// is known, and is the list's note until then, where that is free.
    struct Ahead {
        /// The title as it was seen.
        let seen: Value
        let isNote: Bool
    }

    struct Input {
        let name: FieldName
        var field: LineField
    }

    var field: LineField {
        get { focus < inputs.count ? inputs[focus].field : newField }
        set {
            if focus < inputs.count { inputs[focus].field = newValue } else { newField = newValue }
        }
    }
}

/// An editor whose element is gone.
struct Vanished {
    let id: ElementID
    /// What was being typed into when it went: keys that are on their way still go there.
    var writing: Writing?
}

/// Text to read: the keys, a row's history.
struct Reading {
    let title: String
    let lines: [String]
    var top = 0
}

/// A sentence below the rows, until the next key.
struct Notice: Equatable {
    enum Kind { case news, done, trouble }

    let text: String
    let kind: Kind
}

/// What the session cannot do itself.
enum Wish: Equatable {
    case quit
    /// Into the clipboard of whoever sits at the terminal.
    case copy(String)
    case mouse(Bool)
    /// A text to be edited by the user's own editor.
    case edit(ElementID, text: String)
    /// A file that is no longer needed.
    case remove(file: String)
    case repaint
}

/// Work whose outcome is awaited: what will have been done, in words.
struct Expectation {
    let deed: String
    /// The file from which its text came.
    var file: String?
    /// How it can be taken back.
    var hint = "u undo"
}
