internal import ListServer
internal import ProgramArguments

/// A verb of the server: from this one description come its help and the manual.
struct ServerVerb {
    let name: String
    let usage: String
    /// Paragraphs.
    let about: [String]
    var flags: [Flag] = []
    var exitCodes = "0 done, 1 failed, 2 wrong usage"

    static let all = [serve, check, backup, restore]

    static let serve = ServerVerb(
        name: "serve", usage: "serve [FLAGS]",
        about: [
            """
            Serves the lists in a folder until Ctrl-C, SIGTERM or SIGHUP, then drains: it takes no \
            new work, tells every client when to come back, and ends with 0 when all is on disk, \
            in 5 s at most. A second signal ends it at once; whatever clients were told is saved \
            is on disk even then.
            """,
            """
            Each flag can be given as a variable instead: SAMELIST_LISTEN, SAMELIST_DATA, \
            SAMELIST_HISTORY, SAMELIST_LOG_LEVEL. A flag wins over a variable.
            """,
            """
            GET /healthz, /readyz and /version answer on the same port. /readyz is 503 while the \
            server loads or drains, and while its storage fails.
            """,
        ], flags: Flag.ofServe,
        exitCodes: "0 done, 1 failed, 2 wrong usage, 128 and the signal where a second one "
            + "stopped it before it had drained")

    static let check = ServerVerb(
        name: "check", usage: "check [--data FOLDER]",
        about: [
            """
            Verifies a data folder and changes nothing: that the file is whole, that versions \
            have no gap, that every record can be read and applied, that stored snapshots are what \
            the log comes to. Prints what is wrong. The server must not run there; check a backup \
            that was restored elsewhere, where it may not stop.
            """
        ], flags: [.dataThere], exitCodes: "0 nothing is wrong, 1 something is, 2 wrong usage")

    static let backup = ServerVerb(
        name: "backup", usage: "backup [--data FOLDER] --to FILE",
        about: [
            """
            Writes all lists, as they are at one moment, to a new file, and verifies it. The \
            server may run meanwhile, and goes on. FILE is there when it is whole.
            """
        ], flags: [.dataThere, .to])

    static let restore = ServerVerb(
        name: "restore", usage: "restore --from FILE [--data FOLDER] [--force]",
        about: [
            """
            Makes a data folder of a backup, for a server that does not run. A folder that holds \
            something is replaced with --force only, and kept beside it. Clients that saw more \
            than the backup holds hear the difference, and submit again what was not answered.
            """
        ], flags: [.from, .data, .force])
}

/// What the program says about itself.
enum Help {
    static let short = """
        samelistd serves shared ordered lists to everyone who has them open.

        Examples:
        \(examples.map { "  " + $0 }.joined(separator: "\n"))

        samelistd --help tells more.
        """

    private static let examples = [
        "samelistd serve                                  lists in ./samelist-data, port 7420",
        "samelistd serve --data /srv/lists --history 30d  another folder; a month of history",
        "samelistd serve --listen 127.0.0.1:7500 --log-level debug",
    ]

    private static let usages =
        ServerVerb.all.map { "samelistd " + $0.usage } + ["samelistd help [VERB | man]"]

    static var long: String {
        """
        Usage: \(usages.joined(separator: "\n       "))

        Serves shared ordered lists to everyone who has them open.

        Flags of serve:
        \(text(of: Flag.ofServe))

        Flags of every verb:
        \(text(of: [.help, .version]))

        Examples:
        \(examples.map { "  " + $0 }.joined(separator: "\n"))

        \(wrapped("Exit codes: \(ServerVerb.serve.exitCodes).", 80).joined(separator: "\n"))
        """
    }

    static func text(of verb: ServerVerb) -> String {
        let paragraphs = verb.about.map { wrapped($0, 80).joined(separator: "\n") }
        let codes = wrapped("Exit codes: \(verb.exitCodes).", 80).joined(separator: "\n")
        return
            (["Usage: samelistd \(verb.usage)"] + paragraphs
            + ["Flags:\n" + text(of: verb.flags), codes]).joined(separator: "\n\n")
    }

    private static func text(of flags: [Flag]) -> String {
        flags.flatMap { flag in
            let letter = flag.letter.map { "-\($0), " } ?? "    "
            let name = "  " + letter + "--" + flag.name + (flag.value.map { " " + $0 } ?? "")
            let margin = String(repeating: " ", count: 26)
            return wrapped(flag.summary, 54).enumerated().map { index, line in
                let start = index == 0 ? name + margin.dropFirst(name.count) : margin
                return (start.count > 25 ? start + " " : start) + line
            }
        }.joined(separator: "\n")
    }

    private static func wrapped(_ text: String, _ width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }

    /// `samelistd.8`.
    static var manual: String {
        ManualPage(
            name: "samelistd", section: 8, summary: "serve shared ordered lists",
            version: Server.version, synopsis: usages,
            sections: [
                (
                    "DESCRIPTION",
                    [.paragraph("Serves shared ordered lists to everyone who has them open.")]
                ),
                ("VERBS", ServerVerb.all.flatMap(blocks)),
                ("FLAGS OF EVERY VERB", [Flag.help, .version].map(\.manualBlock)),
                ("EXAMPLES", [.lines(examples)]),
                ("SEE ALSO", [.paragraph("samelist(1)")]),
            ]
        ).text
    }

    private static func blocks(of verb: ServerVerb) -> [ManualPage.Block] {
        [.heading("samelistd " + verb.usage)] + verb.about.map { .paragraph($0) }
            + verb.flags.map(\.manualBlock) + [.paragraph("Exit status: \(verb.exitCodes).")]
    }
}
