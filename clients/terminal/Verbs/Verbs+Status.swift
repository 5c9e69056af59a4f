internal import ListModel
internal import ListProtocol
internal import ListReplica
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
        let silence = silence(trouble, settings)
        report(call.output, settings, welcome, silence, waiting, leftOut)
        if let trouble { throw trouble }
    }

    /// Why there is no answer, in the words of the error below it.
    private static func silence(_ trouble: Failure?, _ settings: Settings) -> String {
        switch trouble?.exit {
        case .unreachable: "does not answer"
        case .timedOut: "did not answer in \(settings.seconds)"
        default: trouble?.word == "state_failed" ? "was not asked" : "refused"
        }
    }

    private static func report(
        _ output: Output, _ settings: Settings, _ welcome: ServerMessage.Welcome?,
        _ silence: String, _ waiting: [LocalWork], _ leftOut: [LeftOutWork.Item]
    ) {
        if output.isPlain { return output.cells(of: waiting, leftOut) }
        guard !output.isJSON else {
            return output.result(
                "",
                members(settings, welcome, waiting) + [
                    ("leftOut", members(leftOut)),
                    (
                        "texts",
                        .array(OutsideEditor.files(in: settings.folder).map { .text($0) })
                    ),
                ])
        }
        let state = welcome.map { "answers (protocol \($0.version))" } ?? silence
        output.result("server  \(settings.server) \(state)", [])
        output.result("user    \(Printing.masked((welcome?.name ?? settings.name).text))", [])
        output.result("state   \(Printing.masked(settings.folder))", [])
        for work in waiting { for line in lines(of: work) { output.result(line, []) } }
        for item in leftOut.suffix(mostLeftOut) { output.result(text(of: item), []) }
        if leftOut.count > mostLeftOut {
            output.result("… and \(leftOut.count - mostLeftOut) more before", [])
        }
        for file in OutsideEditor.files(in: settings.folder) {
            output.result("text    \(Printing.masked(file))", [])
        }
        if waiting.contains(where: { $0.lists.contains { $0.pending > 0 } }) {
            output.note(
                "What waits is sent by whoever is named; there, discard N drops a change (in the "
                    + "full screen: samelist open LIST --by-line).")
        }
        if !leftOut.isEmpty { output.note("samelist status --clear forgets what was left out.") }
    }

    private static let mostLeftOut = 20
    /// Lines about the work of one list.
    private static let mostWork = 20

    private static func members(_ leftOut: [LeftOutWork.Item]) -> Value {
        .array(
            leftOut.map { item in
                .object([
                    "list": .text(item.list), "code": .text(item.code), "id": .text(item.id),
                    "outcome": .text(item.word), "by": .text(item.by), "at": .text(item.at),
                    "change": .text(item.what),
                ])
            })
    }

    private static func text(of item: LeftOutWork.Item) -> String {
        let change = item.id.isEmpty ? "a change" : "a change of \(item.id)"
        let what = item.what.isEmpty ? change : Columns.cut(item.what, to: 100)
        let by = item.by.isEmpty ? "" : " by \(item.by)"
        let advice = Code(rawValue: item.code).flatMap { $0.advice(item.list, item.id) }
        return "\(item.word) \(item.list): \(what)   \(item.code)\(by), \(item.at)"
            + (advice.map { "; \($0)" } ?? "")
    }

    private static func lines(of work: LocalWork) -> [String] {
        let isInUse: Bool
        switch work.state {
        case .unreadable(let sentence): return ["\(work.client)  \(Printing.masked(sentence))"]
        case .inUse: isInUse = true
        case .idle: isInUse = false
        }
        let lists = work.lists.filter { !$0.work.isEmpty }
        if lists.isEmpty {
            return ["\(work.client)  \(isInUse ? "in use now, " : "")nothing waits"]
        }
        return lists.flatMap { list -> [String] in
            let waiting = counted(list.pending, "change")
            let whose = work.client.hasPrefix("screen") ? "open \(list.name)" : "shell"
            let head =
                "\(work.client)  \(list.name): \(waiting) waiting, "
                + "\(counted(list.drafts, "draft"))   "
                + (isInUse ? "in use now" : "samelist \(whose) goes on with it")
            let lines = list.work.flatMap(\.lines).map { "    " + Columns.cut($0, to: 100) }
            let more = lines.count - mostWork
            return [head] + lines.prefix(mostWork) + (more > 0 ? ["    … and \(more) more"] : [])
        }
    }

    private static func members(
        _ settings: Settings, _ welcome: ServerMessage.Welcome?, _ waiting: [LocalWork]
    ) -> Output.Members {
        let clients = waiting.map { work -> Value in
            let lists = work.lists.map { list -> Value in
                .object([
                    "list": .text(list.name), "pending": .int(Int64(list.pending)),
                    "drafts": .int(Int64(list.drafts)),
                    "work": .array(list.work.flatMap(\.objects)),
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

extension LeftOutWork.Item {
    var word: String { isRefused ? "refused" : "skipped" }
}

extension KeptWork {
    /// `3  set k7 done=true`, as the shell's `pending` has it.
    fileprivate var lines: [String] {
        switch self {
        case .pending(let n, let operations):
            operations.map { "\(n)  " + Line.row($0.parts).plain }
        case .draft(let id, let fields, let isVanished):
            [
                Line.row([.word("draft", as: ""), .word(id.text, as: "id"), .fields(fields)]).plain
                    + (isVanished ? "   its row is deleted" : "")
            ]
        case .note(let text): ["a new row begun: " + Printing.json(.text(text))]
        case .unreadable(let key): ["\(Printing.masked(key)) cannot be read"]
        }
    }

    fileprivate var objects: [Value] {
        switch self {
        case .pending(let n, let operations):
            operations.map { operation in
                let members = operation.parts.flatMap(\.members)
                let number = [("n", Value.int(Int64(clamping: n.number)))]
                return .object(Dictionary(number + members) { $1 })
            }
        case .draft(let id, let fields, let isVanished):
            [
                .object([
                    "draft": .text(id.text), "fields": fields.object, "vanished": .bool(isVanished),
                ])
            ]
        case .note(let text): [.object(["begun": .text(text)])]
        case .unreadable(let key): [.object(["unreadable": .text(key)])]
        }
    }
}
