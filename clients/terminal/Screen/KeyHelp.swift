/// The keys and what they do, as the screen shows them and docs/terminal.md compares them.
enum KeyHelp {
    static let keys: [(keys: String, deed: String)] = [
        ("j k, arrows", "next, previous row"),
        ("g G", "first, last row"),
        ("Ctrl-d Ctrl-u", "half a page down, up"),
        ("/ n N", "search, next, previous"),
        ("f", "filter: TEXT or FIELD=VALUE"),
        ("Space", "done or not"),
        ("a", "add a row below"),
        ("e, Enter", "edit the title; Tab: all fields"),
        ("E", "edit all in $VISUAL, $EDITOR"),
        ("d", "delete"),
        ("u U", "undo, redo what you did"),
        ("K J, Alt-arrows", "move up, down"),
        ("v", "mark; Space d K J act on all"),
        ("H", "history of the row"),
        ("M", "mouse on, off"),
        ("R", "try the server now"),
        ("Ctrl-l", "draw the screen anew"),
        ("?", "this help"),
        ("Esc", "back: unmark, no filter"),
        ("q", "quit; text and work are kept"),
    ]

    static var reading: Reading {
        let width = keys.map(\.keys.count).max() ?? 0
        return Reading(
            title: "Keys",
            lines: keys.map {
                $0.keys + String(repeating: " ", count: width - $0.keys.count + 2) + $0.deed
            })
    }
}
