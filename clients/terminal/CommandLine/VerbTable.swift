internal import ProgramArguments

extension Verb {
    /// All verbs, in the order of the help.
    static let all: [Verb] =
        listVerbs + rowVerbs + lookingVerbs + [export, importing, open, shell] + ownVerbs

    static func named(_ name: String) -> Verb? { all.first { $0.name == name } }

    private static let listVerbs = [
        Verb(
            name: "lists", words: "", summary: "the lists of the server",
            notes: [
                "--plain: name, rows, version, how often it is open, title; rows and version are",
                "empty where the server has not counted the list yet, or cannot read it.",
            ], flags: [.plain], examples: ["samelist lists"], run: Verbs.lists),
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
            notes: [
                "TEXT keeps rows of which a text contains it, FIELD=VALUE those that have it.",
                "--plain: ID, done, title, FIELD=VALUE …",
            ],
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
            examples: ["samelist restore food k7"], takesGraves: true, run: Verbs.restore),
        Verb(
            name: "edit", words: "LIST ID", summary: "write a longer text, or all fields, of a row",
            notes: [
                "From a file or standard input; else in $VISUAL or $EDITOR, and others see",
                "that you edit the row. If it was deleted, or changed while you wrote,",
                "nothing is written and the exit code is 5; what the editor held stays in a",
                "file, which is named. --all has the fields as NAME = VALUE, a line each.",
            ],
            flags: [.from, .field, .all, .ifVersion, .orAdd],
            examples: [
                "samelist edit food k7", "samelist edit food k7 --all",
                "printf 'Oat milk\\n' | samelist edit food k7 --from -",
                "samelist edit food k7 --field note --from note.txt --or-add",
            ], run: Verbs.edit),
        Verb(
            name: "undo", words: "LIST", summary: "take back your last change",
            notes: [
                "The newest change that commands of this user on this machine made in the",
                "list, and that was not taken back yet; repeated, the one before it. What",
                "somebody else has changed since is skipped and said. samelist open and shell",
                "have undo of their own.",
            ], examples: ["samelist undo food"], run: Verbs.undo),
        Verb(
            name: "redo", words: "LIST", summary: "do again what undo took back",
            notes: ["Until the next change by a command."],
            examples: ["samelist redo food"], run: Verbs.redo),
    ]

    private static let lookingVerbs = [
        Verb(
            name: "watch", words: "LIST [COMMAND …]", summary: "print changes as they happen",
            notes: [
                "Survives lost connections; prints resynced where changes cannot be told apart.",
                "COMMAND runs for each change instead, one after the other: the change is a",
                "JSON object on its standard input, and SAMELIST_LIST, _EVENT, _VERSION, _BY,",
                "_OP and _ID say what happened. Put -- in front of a COMMAND with flags.",
                "--plain: version, time, name, what was done, IDs, the same in words.",
            ],
            flags: [.since, .count, .duration, .plain],
            examples: [
                "samelist watch food --json --count 1", "samelist watch food --since 0 --for 1",
                "samelist watch food -- sh -c 'echo $SAMELIST_BY'",
            ],
            run: Verbs.watch),
        Verb(
            name: "history", words: "LIST [ID]", summary: "who did what, the newest first",
            notes: ["--plain: version, time, name, what was done, IDs, the same in words."],
            flags: [.limit, .plain], examples: ["samelist history food k7"], run: Verbs.history),
        Verb(
            name: "who", words: "LIST", summary: "who has the list open, and edits what",
            notes: ["--plain: name, IDs of what it edits."], flags: [.plain],
            examples: ["samelist who food"], run: Verbs.who),
        Verb(
            name: "status", words: "", summary: "the server, this user, and what waits here",
            notes: [
                "--plain: client, state, list, changes that wait, drafts, skipped, refused.",
                "Skipped and refused is work that the server did not do; --clear forgets it.",
            ], flags: [.plain, .clear],
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
        flags: [.create, .byLine, .colour], examples: ["samelist open food"], run: Verbs.open)

    private static let shell = Verb(
        name: "shell", words: "", summary: "work in lists line by line",
        notes: [
            "Type help for its commands. Between pipes it ends as the first command that",
            "failed would have ended as a verb.",
        ], flags: [.presence],
        examples: ["samelist shell", "samelist shell --json < commands"], run: Verbs.shell)

    private static let ownVerbs = [
        Verb(
            name: "context", words: "[list|add|use|remove] [CONTEXT] [URL]",
            summary: "servers by name, and which is used",
            notes: [
                "add NAME URL takes --as NAME for the name that you have there. --context, or",
                "SAMELIST_CONTEXT, uses another one for once.",
                "--plain: name, whether it is used, server, your name, timeout, token-file,",
                "ca-file.",
            ], flags: [.plain],
            examples: [
                "samelist context add work wss://lists.example.org --as ana",
                "samelist context use work", "samelist context",
            ], isLenient: true, run: Verbs.context),
        Verb(
            name: "config", words: "show|check",
            summary: "what is set, where, and whether it is right",
            notes: [
                "The file is $XDG_CONFIG_HOME/samelist/config, else ~/.config/samelist/config:",
                "KEY = VALUE with server, name, timeout, token-file, ca-file and context, then",
                "[CONTEXT] with its own.",
                "--plain: key, value, where it comes from.",
            ], flags: [.plain], examples: ["samelist config show", "samelist config check"],
            isLenient: true, run: Verbs.config),
        Verb(
            name: "completion", words: "bash|zsh|fish",
            summary: "a script that completes words by Tab",
            notes: [
                "bash: eval \"$(samelist completion bash)\" in ~/.bashrc",
                "zsh:  eval \"$(samelist completion zsh)\" in ~/.zshrc, behind compinit",
                "fish: samelist completion fish | source, in ~/.config/fish/config.fish",
                "Lists and rows are those that commands have seen on this machine.",
            ], examples: ["samelist completion bash"], isLenient: true, run: Verbs.completion),
    ]

    private static let valueNotes = [
        "VALUE is JSON where it is JSON (2, true, null, \"2\"), else plain text."
    ]
}
