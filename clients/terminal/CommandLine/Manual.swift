internal import ListProtocol
internal import ProgramArguments

extension VerbHelp {
    /// `samelist.1`.
    static var manual: String {
        ManualPage(
            name: "samelist", section: 1, summary: "work in shared ordered lists",
            version: Release.version,
            synopsis: ["samelist VERB [WORDS] [FLAGS]", "samelist help [VERB]"],
            sections: [
                ("DESCRIPTION", description), ("VERBS", Verb.all.flatMap(blocks)),
                ("FLAGS OF EVERY VERB", Flag.everywhere.map(\.manualBlock)),
                (
                    "EXIT STATUS",
                    ExitCode.allCases.map { .tagged("\($0.rawValue)", $0.meaning + ".") }
                ),
                ("ENVIRONMENT", environment), ("FILES", files),
                ("SEE ALSO", [.paragraph("samelistd(8)")]),
            ]
        ).text
    }

    private static let description: [ManualPage.Block] = [
        .paragraph("Works in shared ordered lists: everyone who has one open sees the same."),
        .paragraph("A row is named by its ID or the beginning of it; samelist ls shows IDs."),
        .paragraph(
            "Flags stand before or behind the verb; what follows -- is no flag. Results go to "
                + "standard output, everything else to standard error. With --json each result and "
                + "each error is one JSON object a line, whose member v is the version of that "
                + "format, 1."),
    ]

    private static func blocks(of verb: Verb) -> [ManualPage.Block] {
        var blocks: [ManualPage.Block] = [.heading(verb.usage), .paragraph(verb.summary + ".")]
        if !verb.notes.isEmpty { blocks.append(.lines(verb.notes)) }
        blocks += verb.flags.map(\.manualBlock)
        return blocks + [.lines(verb.examples)]
    }

    private static let environment: [ManualPage.Block] = [
        .tagged("SAMELIST_SERVER", "The server, where --server does not say."),
        .tagged("SAMELIST_NAME", "Your name in lists, where --as does not say."),
        .tagged("SAMELIST_CONTEXT", "The context, where --context does not say."),
        .tagged("VISUAL, EDITOR", "The editor for longer texts; else vi."),
        .tagged("NO_COLOR", "Without colours, where it has any value."),
    ]

    private static let files: [ManualPage.Block] = [
        .tagged(
            "$XDG_CONFIG_HOME/samelist/config",
            "The configuration; else ~/.config/samelist/config. See config and context."),
        .tagged(
            "$XDG_STATE_HOME/samelist",
            "Copies of lists, work that waits, drafts; else ~/.local/state/samelist."),
    ]
}
