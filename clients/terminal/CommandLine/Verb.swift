internal import ProgramArguments

/// A verb of `samelist`: from this one description come the parsing, the help and the completion.
struct Verb: Sendable {
    let name: String
    /// The words behind it, as the help spells them.
    let words: String
    let summary: String
    /// More about it: lines for the help.
    var notes: [String] = []
    /// Its own flags, besides those that every verb has.
    var flags: [Flag] = []
    let examples: [String]
    /// Whether its words name deleted rows.
    var takesGraves = false
    /// Whether it works although the configuration has faults.
    var isLenient = false
    let run: @MainActor @Sendable (inout Invocation) async throws(Failure) -> Void

    /// Whether it may be given a flag.
    func takes(_ name: String) -> Bool {
        (flags + Flag.everywhere).contains { $0.name == name }
    }
}

extension Flag {
    static let json = Flag("json", summary: "one JSON object a line, also for errors")
    static let quiet = Flag("quiet", letter: "q", summary: "say nothing of what was done")
    static let server = Flag("server", value: "URL", summary: "the server (SAMELIST_SERVER)")
    static let user = Flag("as", value: "NAME", summary: "your name in the list (SAMELIST_NAME)")
    static let context = Flag(
        "context", value: "CONTEXT", summary: "the context to be used (SAMELIST_CONTEXT)")
    static let timeout = Flag(
        "timeout", value: "SECONDS", summary: "how long to wait for an answer (10)")
    static let tokenFile = Flag(
        "token-file", value: "FILE",
        summary: "your token; - is the first line of standard input (SAMELIST_TOKEN_FILE)")
    static let caFile = Flag(
        "ca-file", value: "FILE",
        summary: "trust these authorities with wss, not the system's (SAMELIST_CA_FILE)")
    static let noInput = Flag("no-input", summary: "never ask a question")

    static let title = Flag("title", value: "TITLE", summary: "what the list is called")
    static let force = Flag("force", letter: "f", summary: "do it without asking")
    static let dryRun = Flag("dry-run", summary: "only say what would be done")
    static let id = Flag("id", value: "ID", summary: "its ID; else one is made up")
    static let first = Flag("first", summary: "in front of all others")
    static let last = Flag("last", summary: "behind all others")
    static let after = Flag("after", value: "ID", summary: "right behind this element")
    static let before = Flag("before", value: "ID", summary: "right in front of this element")
    static let sort = Flag("sort", value: "FIELD", summary: "by this field; else in list order")
    static let descending = Flag("descending", summary: "the greatest first")
    static let plain = Flag("plain", summary: "a tab between columns, nothing else")
    static let unlessEdited = Flag("unless-edited", summary: "skip rows that somebody is editing")
    static let limit = Flag("limit", value: "N", summary: "how many entries (20)")
    static let count = Flag("count", value: "N", summary: "end after N changes")
    static let duration = Flag("for", value: "SECONDS", summary: "end after so long")
    static let format = Flag(
        "format", value: "FORMAT", summary: "jsonl, csv or markdown; else by the file's name")
    static let create = Flag("create", summary: "make the list if there is none")
    static let byLine = Flag("by-line", summary: "line by line, as in samelist shell")
    static let colour = Flag(
        "color", value: "auto|always|never", summary: "colours; auto: unless NO_COLOR is set")
    static let presence = Flag("presence", summary: "tell who edits what")

    static let everywhere = [
        json, quiet, server, user, tokenFile, caFile, context, timeout, noInput, help, version,
    ]
    static let from = Flag("from", value: "FILE", summary: "the text; - is standard input")
    static let orAdd = Flag("or-add", summary: "if the row is deleted, add the text as a new row")
    static let field = Flag("field", value: "FIELD", summary: "the field; else title")
    static let all = Flag("all", summary: "all fields, in the editor")
    static let ifVersion = Flag(
        "if-version", value: "N", summary: "only while the row is of this version (ls --json)")
    static let clear = Flag("clear", summary: "forget what was skipped and refused")
    static let since = Flag("since", value: "N", summary: "first what came behind version N")

    static let places = [first, last, after, before]
}
