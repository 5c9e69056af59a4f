/// What `help` prints: the shell's language.
enum ShellHelp {
    static let lines = """
        open LIST [--create]
        add [FIELD=VALUE …] [--id ID] [--first | --last | --after ID | --before ID]
        set ID FIELD=VALUE …        unset ID FIELD …        count ID FIELD N
        move ID … (--first | --last | --after ID | --before ID)
        delete ID … [--unless-edited]        restore ID        undo        redo
        list        filter [TEXT] [FIELD=VALUE …] [--pin]        sort [FIELD [--descending]]
        edit ID [--snapshot | --live | --draft]
        draft ID FIELD=VALUE …      cancel ID
        commit ID [--if-unchanged | --overwrite | --merge]
        save-new ID [--id NEW] [PLACE]        restore ID --with-draft
        editors     pending     discard N   who     history [ID]
        drop-list   offline     online      sync        reload      quit
        pending tells what waits, and what was skipped or refused; discard drops it.
        VALUE is JSON where it is JSON, else plain text; "…" keeps spaces together.
        """.split(separator: "\n").map(String.init)
}
