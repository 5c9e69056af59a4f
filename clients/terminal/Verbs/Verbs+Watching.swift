internal import ListModel
internal import ListReplica
internal import ProgramArguments
internal import Samelist

extension Verbs {
    /// Tells each change as it happens, on standard output or to a command.
    @MainActor
    static func watch(_ call: inout Invocation) async throws(Failure) {
        let name = try call.listName()
        let command = Array(call.words)
        let count = try Settings.number(call.arguments, .count)
        let since = try Settings.version(call.arguments, .since)
        let duration = try Settings.milliseconds(call.arguments, .duration)
        let deadline = duration.map { WallClock.now.adding(milliseconds: $0) }
        let output = call.output
        try await Conversation.run(call) { talk throws(Failure) in
            let replica = try await talk.open(name)
            replica.tellsEntries = true
            var watcher = Watcher(replica, talk.core, output, most: count)
            output.note(
                "Watching \(name) from version \(since ?? watcher.seen). Ctrl-C ends it.")
            if let since, since > watcher.seen {
                output.note(
                    "\(name) is at version \(watcher.seen), so nothing came behind \(since); what "
                        + "comes now is told.")
            }
            if let since {
                watcher.rewind(to: since, try await talk.history(of: name, behind: since))
            }
            while true {
                try await tell(watcher.takeDue(), of: name, to: command, output)
                if watcher.isDone { return }
                let entries = try await talk.entries(of: replica, until: deadline) {
                    watcher.look()
                    return watcher.hasDue
                }
                guard let entries else { break }
                watcher.show(entries)
            }
            guard let count else { return }
            throw Failure(
                .timedOut, "timed_out",
                "\(watcher.shown) of \(counted(count, "change")) came in time.")
        }
    }

    @MainActor
    private static func tell(
        _ due: [Watcher.Told], of name: ListName, to command: [String], _ output: Output
    ) async throws(Failure) {
        guard !command.isEmpty else {
            return output.results(due, plain: \.plain, cells: \.cells, members: \.members)
        }
        for told in due {
            let result = await Command(
                command, input: Printing.object(told.members) + "\n",
                variables: variables(of: told, name)
            ).run()
            switch result {
            case .ended(0): break
            case .ended(let status):
                output.note("\(masked(command[0])) ended with \(status).")
            case .notFound:
                throw Failure(.refused, "no_command", "cannot run \(masked(command[0])).")
            }
        }
    }

    /// What a script wants to know without taking JSON apart.
    private static func variables(
        of told: Watcher.Told, _ name: ListName
    ) -> [(String, String)] {
        var variables = [("SAMELIST_LIST", name.text)]
        for (member, value) in told.members {
            let text = value.text ?? Printing.json(value)
            switch member {
            case "event", "version", "by", "op", "id":
                variables.append(("SAMELIST_" + member.uppercased(), text))
            default: break
            }
        }
        return variables
    }
}

extension Conversation {
    /// All entries behind a version that the server still has, the oldest first.
    fileprivate func history(
        of name: ListName, behind version: Version
    ) async throws(Failure) -> [Entry] {
        var entries: [Entry] = []
        while entries.last.map({ $0.version > version.next }) ?? true {
            let before = entries.last?.version
            let reply = try await ask(
                { .history($0, name, of: nil, before: before, limit: 1_000) }, of: name)
            guard case .history(let page) = reply, !page.isEmpty else { break }
            entries.append(contentsOf: page)
        }
        return entries.reversed().filter { $0.version > version }
    }
}
