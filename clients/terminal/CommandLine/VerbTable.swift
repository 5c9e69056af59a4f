internal import ProgramArguments

extension Verb {
    /// All verbs, in the order of the help.
    static let all: [Verb] = listVerbs + rowVerbs + lookingVerbs + [export, importing, open, shell]

    static func named(_ name: String) -> Verb? { all.first { $0.name == name } }

    private static let listVerbs = [
        Verb(
            name: "lists", words: "", summary: "the lists of the server",
            examples: ["samelist lists"], run: Verbs.lists),
        Verb(
            name: "new", words: "LIST", summary: "make a list",
            notes: ["LIST is 1-64 of a-z 0-9 . _ - and begins with a letter or digit."],
            flags: [.title], examples: ["samelist new incident-42 --title 'db-1 is down'"],
            run: Verbs.new),
        Verb(
            name: "drop", words: "LIST", summary: "delete a whole list, for everybody",
            notes: ["Asks for the list's name on a terminal; elsewhere it needs --force."],
            flags: [.force], examples: ["samelist drop incident-42"], run: Verbs.drop),
    ]

    private static let rowVerbs = [
        Verb(
            name: "ls", words: "LIST [TEXT] [FIELD=VALUE …]", summary: "show rows",
            notes: ["TEXT keeps rows of which a text contains it, FIELD=VALUE those that have it."],
            flags: [.sort, .descending, .plain],
            examples: ["samelist ls food", "samelist ls food done=true --sort title"],
            run: Verbs.show),
        Verb(
            name: "add", words: "LIST TEXT … | FIELD=VALUE … | -", summary: "add a row, or many",
            notes: ["- reads standard input, a title a line."] + valueNotes,
            flags: [.id] + Flag.places,
            examples: [
                "samelist add food Milk", "samelist add food title=Milk cups=2 --first",
                "printf 'Tea\\nJam\\n' | samelist add food -",
            ], run: Verbs.add),
        Verb(
            name: "set", words: "LIST ID FIELD=VALUE …", summary: "change fields of a row",
            notes: valueNotes + ["null removes the field."],
            examples: ["samelist set food k7 done=true"], run: Verbs.set),
        Verb(
            name: "move", words: "LIST ID …", summary: "move rows together to a place",
            flags: Flag.places, examples: ["samelist move food k7 --first"], run: Verbs.move),
        Verb(
            name: "rm", words: "LIST ID …", summary: "delete rows",
            notes: ["Several rows are asked about on a terminal, unless --force is given."],
            flags: [.unlessEdited, .dryRun, .force],
            examples: ["samelist rm food k7", "samelist rm food k7 m2 --unless-edited"],
            run: Verbs.remove),
        Verb(
            name: "restore", words: "LIST ID …", summary: "bring deleted rows back",
            examples: ["samelist restore food k7"], run: Verbs.restore),
    ]

    private static let lookingVerbs = [
        Verb(
            name: "watch", words: "LIST", summary: "print changes as they happen",
            notes: [
                "Survives lost connections; prints resynced where changes cannot be told apart."
            ],
            flags: [.count, .duration], examples: ["samelist watch food --json --count 1"],
            run: Verbs.watch),
        Verb(
            name: "history", words: "LIST [ID]", summary: "who did what, the newest first",
            flags: [.limit], examples: ["samelist history food k7"], run: Verbs.history),
        Verb(
            name: "who", words: "LIST", summary: "who has the list open, and edits what",
            examples: ["samelist who food"], run: Verbs.who),
        Verb(
            name: "status", words: "", summary: "the server, this user, and what waits here",
            examples: ["samelist status"], run: Verbs.status),
    ]

    private static let export = Verb(
        name: "export", words: "LIST [FILE | -]", summary: "write a whole list to a file",
        notes: ["jsonl keeps everything, csv too, markdown only titles and whether they are done."],
        flags: [.format],
        examples: [
            "samelist export food food.csv", "samelist export food | samelist import copy -",
        ],
        run: Verbs.export)

    private static let importing = Verb(
        name: "import", words: "LIST [FILE | -]", summary: "add all rows of a file",
        notes: ["A file with a line that cannot be read is refused whole."],
        flags: [.format, .create],
        examples: ["samelist import food food.csv", "samelist import food todo.md --create"],
        run: Verbs.importing)

    private static let open = Verb(
        name: "open", words: "LIST", summary: "work in a list on the full screen",
        notes: [
            "? shows the keys. On a terminal that cannot draw, and with --by-line, it is the shell."
        ],
        flags: [.create, .byLine], examples: ["samelist open food"], run: Verbs.open)

    private static let shell = Verb(
        name: "shell", words: "", summary: "work in lists line by line",
        notes: ["Type help for its commands."], flags: [.presence],
        examples: ["samelist shell", "samelist shell --json < commands"], run: Verbs.shell)

    private static let valueNotes = [
        "VALUE is JSON where it is JSON (2, true, null, \"2\"), else plain text."
    ]
}
