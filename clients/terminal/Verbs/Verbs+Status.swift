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
        let leftOut = LeftOutWork.all(settings)
        if call.has(.clear) { LeftOutWork.clear(settings) }
        var trouble: Failure?
        var welcome: ServerMessage.Welcome?
        do throws(Failure) {
            welcome = try await Conversation.run(call) { talk throws(Failure) in
                talk.core.welcome
            }
        } catch {
            trouble = error
        }
        report(call.output, settings, welcome, waiting, leftOut)
        if let trouble { throw trouble }
    }

    private static func report(
        _ output: Output, _ settings: Settings, _ welcome: ServerMessage.Welcome?,
        _ waiting: [LocalWork], _ leftOut: [LeftOutWork.Item]
    ) {
        if output.isPlain { return output.cells(of: waiting, leftOut) }
        guard !output.isJSON else {
            return output.result(
                "", members(settings, welcome, waiting) + [("leftOut", members(leftOut))])
        }
        let state = welcome.map { "answers (protocol \($0.version))" } ?? "does not answer"
        output.result("server  \(settings.server) \(state)", [])
        output.result("user    \(Printing.masked((welcome?.name ?? settings.name).text))", [])
        output.result("state   \(Printing.masked(settings.folder))", [])
        for work in waiting { output.result(text(of: work), []) }
        for item in leftOut.suffix(mostLeftOut) {
            let what = item.id.isEmpty ? "a change" : "a change of \(item.id)"
            let by = item.by.isEmpty ? "" : " by \(item.by)"
            output.result(
                "\(item.isRefused ? "refused" : "skipped") \(item.list): \(what), "
                    + "\(item.code)\(by), \(item.at)", [])
        }
        if leftOut.count > mostLeftOut {
            output.result("… and \(leftOut.count - mostLeftOut) more before", [])
        }
        if !leftOut.isEmpty { output.note("samelist status --clear forgets what was left out.") }
    }

    private static let mostLeftOut = 20

    private static func members(_ leftOut: [LeftOutWork.Item]) -> Value {
        .array(
            leftOut.map { item in
                .object([
                    "list": .text(item.list), "code": .text(item.code), "id": .text(item.id),
                    "outcome": .text(item.isRefused ? "refused" : "skipped"),
                    "by": .text(item.by), "at": .text(item.at),
                ])
            })
    }

    private static func text(of work: LocalWork) -> String {
        let lists = work.lists.filter { $0.pending > 0 || $0.drafts > 0 }.map { list in
            let waiting = counted(list.pending, "change")
            return "\(list.name): \(waiting) waiting, \(counted(list.drafts, "draft"))"
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
            let lists = work.lists.map { list -> Value in
                .object([
                    "list": .text(list.name), "pending": .int(Int64(list.pending)),
                    "drafts": .int(Int64(list.drafts)),
                ])
            }
            return .object([
                "client": .text(work.client), "state": .text(work.state.word),
                "lists": .array(lists),
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

extension Output {
    /// Client, state, list, changes that wait, drafts, skipped, refused. What was left out is known
    /// by list alone.
    fileprivate func cells(of waiting: [LocalWork], _ leftOut: [LeftOutWork.Item]) {
        var rows: [[String]] = waiting.flatMap { work -> [[String]] in
            let state = work.state.word
            if work.lists.isEmpty { return [[work.client, state, "", "0", "0", "0", "0"]] }
            return work.lists.map {
                [work.client, state, $0.name, String($0.pending), String($0.drafts), "0", "0"]
            }
        }
        for (list, items) in Dictionary(grouping: leftOut, by: \.list).sorted(by: {
            $0.key < $1.key
        }) {
            let refused = items.count { $0.isRefused }
            rows.append(["", "", list, "0", "0", String(items.count - refused), String(refused)])
        }
        results(rows, plain: { $0.joined() }, cells: { $0 }, members: { _ in [] })
    }
}

extension LocalWork.State {
    fileprivate var word: String {
        switch self {
        case .inUse: "in_use"
        case .unreadable: "unreadable"
        case .idle: "idle"
        }
    }
}
