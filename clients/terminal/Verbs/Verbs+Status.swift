internal import ListModel
internal import ListProtocol
internal import Samelist

/// How things stand: server, user, and what waits on this machine.
extension Verbs {
    @MainActor
    static func status(_ call: inout Invocation) async throws(Failure) {
        try call.end()
        let settings = call.settings
        let waiting = LocalWork.all(
            in: settings.folder, server: settings.server, name: settings.name)
        var trouble: Failure?
        var welcome: ServerMessage.Welcome?
        do throws(Failure) {
            welcome = try await Conversation.run(call) { talk throws(Failure) in
                talk.core.welcome
            }
        } catch {
            trouble = error
        }
        report(call.output, settings, welcome, waiting)
        if let trouble { throw trouble }
    }

    private static func report(
        _ output: Output, _ settings: Settings, _ welcome: ServerMessage.Welcome?,
        _ waiting: [LocalWork]
    ) {
        guard !output.isJSON else {
            return output.result("", members(settings, welcome, waiting))
        }
        let state = welcome.map { "answers (protocol \($0.version))" } ?? "does not answer"
        output.result("server  \(settings.server) \(state)", [])
        output.result("user    \(Printing.masked((welcome?.name ?? settings.name).text))", [])
        output.result("state   \(Printing.masked(settings.folder))", [])
        for work in waiting { output.result(text(of: work), []) }
    }

    private static func text(of work: LocalWork) -> String {
        let lists = work.lists.filter { $0.pending > 0 || $0.drafts > 0 }.map { list in
            "\(list.name): \(counted(list.pending, "change")) waiting, "
                + counted(list.drafts, "draft")
        }
        let state: String =
            switch work.state {
            case .inUse: "in use now"
            case .unreadable(let sentence): Printing.masked(sentence)
            case .idle: lists.isEmpty ? "nothing waits" : lists.joined(separator: "; ")
            }
        return "\(work.client)  \(state)"
    }

    private static func members(
        _ settings: Settings, _ welcome: ServerMessage.Welcome?, _ waiting: [LocalWork]
    ) -> Output.Members {
        let clients = waiting.map { work -> Value in
            let state =
                switch work.state {
                case .inUse: "in_use"
                case .unreadable: "unreadable"
                case .idle: "idle"
                }
            let lists = work.lists.map { list -> Value in
                .object([
                    "list": .text(list.name), "pending": .int(Int64(list.pending)),
                    "drafts": .int(Int64(list.drafts)),
                ])
            }
            return .object([
                "client": .text(work.client), "state": .text(state), "lists": .array(lists),
            ])
        }
        var members: Output.Members = [
            ("server", .text(settings.server.description)), ("reachable", .bool(welcome != nil)),
            ("user", .text((welcome?.name ?? settings.name).text)),
            ("state", .text(settings.folder)), ("clients", .array(clients)),
        ]
        if let welcome { members.append(("protocol", .int(Int64(welcome.version)))) }
        return members
    }
}
