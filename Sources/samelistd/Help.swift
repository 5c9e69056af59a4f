/// What the program says about itself.
enum Help {
    static let short = """
        samelistd serves shared ordered lists to everyone who has them open.

        Examples:
          samelistd serve                                  lists in ./samelist-data, port 7420
          samelistd serve --data /srv/lists --history 30d  another folder; a month of history
          samelistd serve --listen 127.0.0.1:7500 --log-level debug

        samelistd --help tells more.
        """

    static let long = """
        Usage: samelistd serve [FLAGS]
               samelistd check [--data FOLDER]
               samelistd backup [--data FOLDER] --to FILE
               samelistd restore --from FILE [--data FOLDER] [--force]
               samelistd help [VERB]

        Serves shared ordered lists to everyone who has them open.

        \(flags)
          -h, --help              this text, or that of a verb
              --version           the version

        Examples:
          samelistd serve
          samelistd serve --data /srv/lists --history 30d
          samelistd serve --listen 127.0.0.1:7500 --log-level debug

        Exit codes: 0 done, 1 failed, 2 wrong usage, 128 and the signal where a
        second one stopped it before it had drained.
        """

    static let serve = """
        Usage: samelistd serve [FLAGS]

        Serves the lists in a folder until Ctrl-C, SIGTERM or SIGHUP, then drains: it takes no
        new work, tells every client when to come back, and ends with 0 when all is on
        disk, in 5 s at most. A second signal ends it at once; whatever clients were told
        is saved is on disk even then.

        \(flags)

        Each flag can be given as a variable instead: SAMELIST_LISTEN, SAMELIST_DATA,
        SAMELIST_HISTORY, SAMELIST_LOG_LEVEL. A flag wins over a variable.

        GET /healthz, /readyz and /version answer on the same port. /readyz is 503
        while the server loads or drains, and while its storage fails.
        """

    static let check = """
        Usage: samelistd check [--data FOLDER]

        Verifies a data folder and changes nothing: that the file is whole, that versions
        have no gap, that every record can be read and applied, that stored snapshots are
        what the log comes to. Prints what is wrong. The server must not run there; check
        a backup that was restored elsewhere, where it may not stop.

        Exit codes: 0 nothing is wrong, 1 something is, 2 wrong usage.
        """

    static let backup = """
        Usage: samelistd backup [--data FOLDER] --to FILE

        Writes all lists, as they are at one moment, to a new file, and verifies it. The
        server may run meanwhile, and goes on. FILE is there when it is whole.

        Exit codes: 0 done, 1 failed, 2 wrong usage.
        """

    static let restore = """
        Usage: samelistd restore --from FILE [--data FOLDER] [--force]

        Makes a data folder of a backup, for a server that does not run. A folder that
        holds something is replaced with --force only, and kept beside it. Clients that
        saw more than the backup holds hear the difference, and submit again what was not
        answered.

        Exit codes: 0 done, 1 failed, 2 wrong usage.
        """

    private static let flags = """
        Flags of serve:
              --listen HOST:PORT  where it listens (127.0.0.1:7420); for now this machine only
              --data FOLDER       where the lists are (./samelist-data); made if missing
              --history N|AGE|all how much of each log is kept for clients who come back: so
                                  many entries, those of so long (45s, 90m, 12h, 30d), or all
              --log-level LEVEL   debug, info, warning or error, on standard error (info)
        """
}
