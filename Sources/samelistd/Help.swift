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

    static let all = [
        serve, token, config, check, backup, restore, exporting, importing, compact, explain, top,
        completion,
    ]

    static let serve = ServerVerb(
        name: "serve", usage: "serve [FLAGS]",
        about: [
            """
            Serves the lists in a folder until Ctrl-C or SIGTERM, then drains: it takes no \
            new work, tells every client when to come back, and ends with 0 when all is on disk, \
            in 5 s at most. A second signal ends it at once; whatever clients were told is saved \
            is on disk even then.
            """,
            """
            Each flag can be given as a variable instead, --log-level as SAMELIST_LOG_LEVEL, or \
            as a key of the configuration file, log-level = debug. A flag wins over a variable, \
            and that over the file.
            """,
            """
            On this machine's own address, and as long as no token was ever made, it takes \
            everybody's word. From the first token on, also while it runs, a client must show one; \
            on other addresses always, and there it needs TLS, or --insecure behind a proxy.
            """,
            """
            SIGHUP makes it read the certificate, the tokens, the key of --jwt-key and the log \
            level anew; connections stay, and what cannot be used changes nothing. All else is \
            read at the start. If the terminal went that it was started on, it drains.
            """,
            """
            GET /healthz, /readyz and /version answer on the same port. /readyz is 503 while the \
            server loads or drains, and while its storage fails.
            """,
        ], flags: Flag.ofServe,
        exitCodes: "0 done, 1 failed, 2 wrong usage, 128 and the signal where a second one "
            + "stopped it before it had drained")

    static let completion = ServerVerb(
        name: "completion", usage: "completion bash|zsh|fish",
        about: [
            """
            Prints what a shell reads to complete verbs, flags and their values by Tab: eval \
            "$(samelistd completion bash)" in ~/.bashrc, the same with zsh in ~/.zshrc behind \
            compinit, samelistd completion fish | source in config.fish. The Debian package brings \
            them.
            """
        ])

    static let token = ServerVerb(
        name: "token", usage: "token create|list|revoke [ID] [FLAGS]",
        about: [
            """
            token create --name NAME --list PATTERN --rights read|write|own makes a token and \
            prints it, alone on standard output; it is not shown again, and only its hash is kept, \
            in tokens.db in the data folder. PATTERN:RIGHT in --list gives that right to that \
            pattern.
            """,
            """
            token list prints a line each: ID, whether it is valid, expired or revoked, until or \
            since when, tenant, name and rights, with tabs between. token revoke ID, or \
            --name NAME for all of a name, ends it for good: whoever is connected by it is cut \
            off within 2 s.
            """,
            """
            The server may run meanwhile. Backups hold no tokens, and restore keeps those that \
            the folder had. A token that was revoked stays in the list, so that the last one's \
            end does not open the server; remove tokens.db for that, while it does not run.
            """,
        ], flags: Flag.ofToken)

    static let config = ServerVerb(
        name: "config", usage: "config check|show [FLAGS]",
        about: [
            """
            config show prints a line for each setting of serve: key, value and what gave it, with \
            tabs between. config check tells what is wrong with the file and the settings, and \
            whether the files are there that they name. Both take the flags of serve.
            """,
            """
            The file is \(ServerConfig.usualFile), if it is there, or what --config or \
            SAMELIST_CONFIG names. A line is KEY = VALUE; the keys are the names of the flags of \
            serve, true or false for those that take no value. A # begins a comment. A key that \
            nobody knows is an error.
            """,
        ], flags: Flag.ofServe, exitCodes: "0 nothing is wrong, 2 something is")
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
        "samelistd token create --name ana --list 'team-*' --rights write --expires 30d",
        "samelistd serve --listen 0.0.0.0:7420 --tls-cert cert.pem --tls-key key.pem",
    ]

    private static let usages =
        ServerVerb.all.map { "samelistd " + $0.usage } + ["samelistd help [VERB | limits | man]"]

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

        \("Exit codes: \(ServerVerb.serve.exitCodes).".wrapped(to: 80).joined(separator: "\n"))
        """
    }

    static func text(of verb: ServerVerb) -> String {
        let paragraphs = verb.about.map { $0.wrapped(to: 80).joined(separator: "\n") }
        let codes = "Exit codes: \(verb.exitCodes).".wrapped(to: 80).joined(separator: "\n")
        return
            (["Usage: samelistd \(verb.usage)"] + paragraphs
            + ["Flags:\n" + text(of: verb.flags), codes]).joined(separator: "\n\n")
    }

    /// What `--limit` can set.
    static var limits: String {
        let widths = [
            Bound.all.map(\.name.count).max() ?? 0,
            Bound.all.map { String($0.usual).count }.max() ?? 0,
        ]
        let rows = Bound.all.map { bound in
            let name = bound.name.padded(to: widths[0])
            let usual = String(bound.usual)
            let number = String(repeating: " ", count: widths[1] - usual.count) + usual
            return "\(name)  \(number)  \(bound.what)"
        }
        return (["The bounds of serve, which --limit NAME=NUMBER,… changes:", ""] + rows)
            .joined(separator: "\n")
    }

    private static func text(of flags: [Flag]) -> String {
        flags.flatMap { flag in
            let letter = flag.letter.map { "-\($0), " } ?? "    "
            let name = "  " + letter + "--" + flag.name + (flag.value.map { " " + $0 } ?? "")
            let margin = String(repeating: " ", count: 26)
            return flag.summary.wrapped(to: 54).enumerated().map { index, line in
                let start = index == 0 ? name + margin.dropFirst(name.count) : margin
                return (start.count > 25 ? start + " " : start) + line
            }
        }.joined(separator: "\n")
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
                (
                    "LIMITS",
                    [.paragraph("What --limit of serve can set, and what holds without it.")]
                        + Bound.all.map { .tagged("\($0.name) (\($0.usual))", $0.what) }
                ),
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

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
