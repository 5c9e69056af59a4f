internal import ListModel
internal import ProgramArguments

extension Verbs {
    /// The script for a shell; or, for these scripts, what may stand at the end of a line.
    @MainActor
    static func completion(_ call: inout Invocation) async throws(Failure) {
        let what = try call.next("bash, zsh or fish")
        if what == "words" { return complete(&call) }
        guard let script = CompletionScript(rawValue: what) else {
            throw .usage("completion knows bash, zsh and fish, not \(masked(what)).")
        }
        try call.end()
        call.output.text(script.text(for: "samelist"), "script")
    }

    private static func complete(_ call: inout Invocation) {
        let completion = Completion(Array(call.words))
        let flags = completion.values.compactMap { name, value -> [String]? in
            ["server", "as", "context"].contains(name) ? ["--" + name, value] : nil
        }.flatMap { $0 }
        // A line that is wrong is completed from what is usual.
        let settings = (try? Settings(flags)) ?? call.settings
        let rows = KnownRows(settings)
        let known = Completion.Known(
            lists: { rows.lists }, rows: { rows.rows(of: $0) },
            gone: { rows.gone(from: $0) },
            contexts: { settings.contexts.map { .init($0.name, $0.about) } })
        switch completion.answer(known) {
        case .files: call.output.result(":files", [("files", .bool(true))])
        case .candidates(let all):
            call.output.results(all, plain: \.line) { [("word", .text($0.text))] }
        }
    }
}

extension Settings {
    /// As the words of a line that is being typed say.
    fileprivate init(_ flags: [String]) throws {
        try self.init(
            Arguments(flags, of: "samelist", flags: Flag.everywhere),
            environment: StandardStreams.environment, login: Self.login)
    }
}
