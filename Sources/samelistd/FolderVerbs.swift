internal import ProgramArguments

/// The verbs that look after a data folder.
extension ServerVerb {
    static let check = ServerVerb(
        name: "check", usage: "check [--data FOLDER]",
        about: [
            """
            Verifies a data folder and changes nothing: that the file is whole, that versions \
            have no gap, that every record can be read and applied, that stored snapshots are what \
            the log comes to. Prints what is wrong. The server must not run there; check a backup \
            that was restored elsewhere, where it may not stop.
            """
        ], flags: [.config, .dataThere],
        exitCodes: "0 nothing is wrong, 1 something is, 2 wrong usage")

    static let backup = ServerVerb(
        name: "backup", usage: "backup [--data FOLDER] --to FILE",
        about: [
            """
            Writes all lists, as they are at one moment, to a new file outside of the folder, and \
            reads it as check does; a list with something wrong is named, and there is no FILE. \
            The server may run meanwhile, and goes on. FILE is there when it is whole, for its \
            owner alone to read, and replaces nothing.
            """
        ], flags: [.config, .dataThere, .to])

    static let restore = ServerVerb(
        name: "restore", usage: "restore --from FILE [--data FOLDER] [--force]",
        about: [
            """
            Makes a data folder of a backup, for a server that does not run, after it has read it \
            as check does. A folder that holds something is replaced with --force only, and kept \
            beside it; owner and mode stay. Clients that saw more than the backup holds hear the \
            difference, and submit again what was not answered.
            """,
            """
            A mount point, or the folder this runs in as ".", cannot be put aside: move away what \
            it holds, and restore into it empty.
            """,
        ], flags: [.config, .from, .data, .force])

    static let exporting = ServerVerb(
        name: "export", usage: "export --to FILE|- [--data FOLDER] [FLAGS]",
        about: [
            """
            Writes lists, as they are at one moment, as JSON, a line each for the export, a list, \
            a row and the end; docs/operating.md describes it. Deleted rows come with who deleted \
            them; the log does not. The server may run meanwhile, and goes on. FILE is there when \
            it is whole, for its owner alone to read, and replaces nothing.
            """
        ], flags: [.config, .dataThere, .toExport, .only, .ofTenant, .living])

    static let importing = ServerVerb(
        name: "import", usage: "import --from FILE|- [--data FOLDER] [FLAGS]",
        about: [
            """
            Puts the lists of an export into a folder, for a server that does not run: all of \
            them, or none, if a line cannot be taken, whose number it tells. A list that is there \
            already is an error.
            """,
            """
            With --force it stays the same list, and its rows become those of the export: clients \
            hear the difference. What it held before is gone; make a backup first. What they had \
            submitted and the list knows of is not done again.
            """,
        ], flags: [.config, .fromExport, .data, .only, .ofTenant, .newName, .replace, .limit])

    static let compact = ServerVerb(
        name: "compact", usage: "compact [--data FOLDER] [--history N|AGE|all]",
        about: [
            """
            Makes the database smaller, for a server that does not run: stores snapshots, drops \
            what of the logs is older than --history keeps (which serve does by itself, not down \
            to the last entry), and writes the file anew without what was free in it. Prints its \
            bytes before and after. Needs as much room again meanwhile; when it is ended before \
            its end, nothing is lost.
            """
        ], flags: [.config, .dataThere, .history])

    static let explain = ServerVerb(
        name: "explain", usage: "explain LIST ID [--data FOLDER] [FLAGS]",
        about: [
            """
            Tells what happened to an element: each entry of the log that did something to it, \
            whose it was, when, what the element was before and after; and what was skipped. ID \
            may be the beginning of one. It reads the folder and changes nothing; the server may \
            run there.
            """,
            """
            If it does, it also tells who has the list open, and up to which version each was \
            given it. Nobody keeps when somebody was told something, or whether it was seen.
            """,
        ], flags: [.config, .dataThere, .ofTenant, .json],
        exitCodes: "0 done, 1 failed, or nothing is known of it, 2 wrong usage")

    static let top = ServerVerb(
        name: "top", usage: "top [--data FOLDER] [--once] [--json]",
        about: [
            """
            Shows what the server does that runs in a folder, to its owner and root: connections, \
            memory, how much is written and sent a second, how far clients are behind, and the \
            lists that are open, the busiest first. On a terminal it is drawn anew every 2 s, \
            until q or Ctrl-C; elsewhere, and with --once, it is printed once. --json prints the \
            counters themselves.
            """
        ], flags: [.config, .dataThere, .once, .json])
}
