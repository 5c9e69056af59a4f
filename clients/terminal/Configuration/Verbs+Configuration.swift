internal import ListModel
internal import ProgramArguments
internal import Samelist

/// The user's own settings: contexts, and what holds and why.
extension Verbs {
    @MainActor
    static func context(_ call: inout Invocation) async throws(Failure) {
        let what = call.words.popFirst() ?? "list"
        switch what {
        case "list": try listContexts(&call)
        case "add": try addContext(&call)
        case "use", "remove": try changeContext(&call, what)
        default:
            let known = ["list", "add", "use", "remove"]
            let advice = suggestion(for: what, among: known).map { "Did you mean \($0)?" }
            throw .usage(
                "context knows list, add, use and remove, not \(masked(what)). \(advice ?? "")"
                    .trimmedAtEnd)
        }
    }

    private static func listContexts(_ call: inout Invocation) throws(Failure) {
        try call.end()
        let config = call.settings.config
        let used = call.settings.origins.first { $0.key == "context" }?.value
        let width = config.contexts.map(\.name.utf8.count).max() ?? 0
        if config.contexts.isEmpty {
            call.output.note("There is no context yet. Make one: samelist context add NAME URL")
        }
        call.output.results(config.contexts) { context in
            let mark = context.name == used ? "* " : "  "
            let values = context.entries.map { Printing.masked($0.value) }
            return mark + Columns.padded(context.name, width) + "  "
                + values.joined(separator: "  ")
        } cells: { context in
            [context.name, context.name == used ? "true" : "false"]
                + ConfigFile.Key.allCases.filter { $0 != .context }.map { key in
                    context.entries.last { $0.key == key }?.value ?? ""
                }
        } members: { context in
            [("context", .text(context.name)), ("used", .bool(context.name == used))]
                + context.entries.map { ($0.key.rawValue, .text($0.value)) }
        }
    }

    private static func addContext(_ call: inout Invocation) throws(Failure) {
        let name = try contextName(&call)
        let url = try call.next("the server's URL")
        try call.end()
        guard let server = ServerAddress(url) else { throw .usage(Settings.noServer(url)) }
        var config = call.settings.config
        guard config.context(name) == nil else {
            throw Failure(
                .refused, "context_exists",
                "there is a context \(name) already; samelist context remove \(name) takes it away."
            )
        }
        config.add(
            name,
            [
                (.server, server.description), (.name, call.arguments[.user]),
                (.tokenFile, call.arguments[.tokenFile].map(Folder.absolute)),
                (.caFile, call.arguments[.caFile].map(Folder.absolute)),
            ])
        let isFirst = config.contexts.count == 1
        if isFirst { config.use(name) }
        try write(config, call)
        call.output.done(
            "Added the context \(name)" + (isFirst ? "; it is used from now on." : "."),
            undo: "samelist context remove \(name)",
            [("context", .text(name)), ("used", .bool(isFirst))])
        let given = call.settings.origins.first { $0.key == "server" }
        if isFirst, let given, given.origin == "SAMELIST_SERVER",
            ServerAddress(given.value) != server
        {
            call.output.note(
                "SAMELIST_SERVER names \(Printing.masked(given.value)) and wins as long as it is "
                    + "set.")
        }
    }

    private static func changeContext(_ call: inout Invocation, _ what: String) throws(Failure) {
        let name = try contextName(&call)
        try call.end()
        var config = call.settings.config
        guard config.context(name) != nil else {
            let advice = suggestion(for: name, among: config.contexts.map(\.name))
            throw Failure(
                .refused, "no_such_context",
                "there is no context \(name). "
                    + (advice.map { "Did you mean \($0)?" } ?? "samelist context list shows them."))
        }
        let old = config.general.last { $0.key == .context }?.value
        if what == "use" { config.use(name) } else { config.remove(name) }
        try write(config, call)
        let undo = what == "use" && old != name ? old.map { "samelist context use \($0)" } : nil
        call.output.done(
            what == "use" ? "The context \(name) is used from now on." : "Removed \(name).",
            undo: undo, [("context", .text(name))])
    }

    private static func contextName(_ call: inout Invocation) throws(Failure) -> String {
        let name = try call.next("the name of a context")
        guard ConfigFile.isContextName(name) else {
            throw .usage(
                "\(masked(name)) is no name of a context: 1-64 of a-z A-Z 0-9 . _ -.")
        }
        return name
    }

    private static func write(_ config: ConfigFile, _ call: Invocation) throws(Failure) {
        guard let file = call.settings.configFile else {
            throw .usage("neither XDG_CONFIG_HOME nor HOME says where this user's files are.")
        }
        try ConfigPlace.write(config, to: file)
    }

    @MainActor
    static func config(_ call: inout Invocation) async throws(Failure) {
        let what = try call.next("show or check")
        try call.end()
        switch what {
        case "show": showConfig(call)
        case "check": try checkConfig(call)
        default: throw .usage("config knows show and check, not \(masked(what)).")
        }
    }

    private static func showConfig(_ call: Invocation) {
        let rows = call.settings.origins
        let width = rows.map { Columns.width(of: $0.value) }.max() ?? 0
        call.output.results(rows) { row in
            Columns.padded(row.key, 8) + " " + Columns.padded(Printing.masked(row.value), width)
                + "  " + Printing.masked(row.origin)
        } cells: {
            [$0.key, $0.value, $0.origin]
        } members: { row in
            [
                ("key", .text(row.key)), ("value", .text(row.value)),
                ("origin", .text(row.origin)),
            ]
        }
    }

    private static func checkConfig(_ call: Invocation) throws(Failure) {
        let file = call.settings.configFile ?? ""
        let faults = call.settings.config.faults.map { fault in
            Failure.usage("\(file) line \(fault.line): \(fault.sentence)")
        }
        for failure in faults.dropLast() { call.output.failure(failure) }
        if let last = faults.last { throw last }
        call.output.done(
            "\(Printing.masked(file)) has no fault.", undo: nil, [("config", .text(file))])
    }
}
