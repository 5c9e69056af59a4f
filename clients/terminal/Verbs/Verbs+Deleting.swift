internal import ListModel
internal import ListProtocol
internal import ListReplica
internal import ProgramArguments

/// Deleting rows, and bringing them back.
extension Verbs {
    @MainActor
    static func remove(_ call: inout Invocation) async throws(Failure) {
        let name = try call.listName()
        let words = try call.elementWords()
        let asked = call
        let done = try await Conversation.run(call) {
            talk throws(Failure) -> (ids: [ElementID], what: String, report: Report)? in
            let replica = try await talk.open(name)
            let ids = try ElementWords(replica.list, of: name).ids(words)
            if asked.has(.dryRun) {
                asked.sayWhatWouldGo(ids, in: replica.list, try await talk.editors(of: name))
                return nil
            }
            if ids.count > 1 {
                try asked.confirm("Delete \(counted(ids.count, "row")) of \(name)?")
            }
            let before = replica.list
            let unlessEdited = asked.has(.unlessEdited)
            let operations = ids.map { Operation(.delete($0, unlessEdited: unlessEdited)) }
            let report = try await talk.outcome(of: talk.submit(operations, to: name))
            return (ids, Verbs.what(ids.without(report.skipped), in: before), report)
        }
        guard let done else { return }
        try call.tell(
            done.report, "Deleted \(done.what)", name, done.ids,
            undo: Verbs.undo("restore", name, done.ids.without(done.report.skipped), call.settings))
    }

    @MainActor
    static func restore(_ call: inout Invocation) async throws(Failure) {
        let name = try call.listName()
        let words = try call.elementWords()
        let (ids, what, report) = try await Conversation.run(call) {
            talk throws(Failure) -> ([ElementID], String, Report) in
            let replica = try await talk.open(name)
            let ids = try ElementWords(replica.list, of: name, graves: true).ids(words)
            try await talk.learn(ids, in: replica)
            let n = talk.submit(ids.map { Operation(.restore($0)) }, to: name)
            let report = try await talk.outcome(of: n)
            return (ids, Verbs.what(ids.without(report.skipped), in: replica.list), report)
        }
        try call.tell(
            report, "Restored \(what)", name, ids,
            undo: Verbs.undo("rm", name, ids.without(report.skipped), call.settings))
    }
}

extension Conversation {
    /// Who edits which element.
    func editors(of name: ListName) async throws(Failure) -> [ElementID: [UserName]] {
        guard case .who(let here) = try await ask({ .who($0, name) }, of: name) else { return [:] }
        var editors: [ElementID: Set<UserName>] = [:]
        for presence in here {
            for id in presence.editing { editors[id, default: []].insert(presence.name) }
        }
        return editors.mapValues { $0.sorted() }
    }
}

extension Invocation {
    func sayWhatWouldGo(
        _ ids: [ElementID], in list: ListState, _ editors: [ElementID: [UserName]]
    ) {
        output.results(ids) { id in
            let what = Verbs.what([id], in: list)
            let who = (editors[id] ?? []).map { Printing.masked($0.text) }.joined(separator: ", ")
            let isThere = list[id] != nil
            return isThere
                ? "Would delete \(id) \(what)" + (who.isEmpty ? "" : " (edited by \(who))")
                : "Nothing to do for \(id): it is deleted already"
        } members: { id in
            [
                ("dryRun", .bool(true)), ("id", .text(id.text)), ("alive", .bool(list[id] != nil)),
                ("editing", .array((editors[id] ?? []).map { .text($0.text) })),
            ]
        }
    }

    /// Says what became of a mutation, and throws the first of what was left out.
    func tell(
        _ report: Report, _ sentence: String, _ name: ListName, _ ids: [ElementID], undo: String?
    ) throws(Failure) {
        var members: Output.Members = [
            ("list", .text(name.text)),
            ("ids", .array(ids.without(report.skipped).map { .text($0.text) })),
        ]
        switch report.answer.outcome {
        case .refused(let refusal): throw Failure(refusal, of: name)
        case .nothing(let skips):
            if skips.isEmpty {
                members.append(("noop", .bool(true)))
                output.done("Nothing to do: it is so already.", undo: nil, members)
            }
        case .logged(let version, _):
            members.append(("version", .int(Int64(clamping: version.number))))
            let told = report.answer.told
            if !told.isEmpty { members.append(("told", .array(told.map { .text($0.text) }))) }
            output.done(
                sentence + " (version \(version)).\(told.toldSentence)", undo: undo, members)
        }
        let failures = report.answer.skips.map { Failure($0, in: name) }
        for failure in failures.dropLast() { output.failure(failure) }
        if let last = failures.last { throw last }
    }
}

extension Failure {
    /// An operation that was left out, and what to do about it.
    fileprivate init(_ skip: Skip, in name: ListName) {
        var sentence = skip.sentence
        if let id = skip.id, let advice = skip.code.advice(name.text, id.text) {
            sentence += "; " + advice
        }
        self.init(ExitCode(skip.code), skip.code.rawValue, sentence + ".", id: skip.id)
    }
}

extension Code {
    /// What to do where it kept something from being done.
    func advice(_ list: String, _ id: String) -> String? {
        switch self {
        case .removed: "samelist restore \(list) \(ShellQuoting.quoted(id)) brings it back"
        case .beingEdited: "without --unless-edited it goes all the same"
        case .changedSince: "samelist ls \(list) shows it as it is now"
        default: nil
        }
    }
}

extension Report {
    /// The version at which it was logged; throws where it was refused.
    func logged() throws(Failure) -> Version? {
        switch answer.outcome {
        case .refused(let refusal): throw Failure(refusal)
        case .logged(let version, _): return version
        case .nothing: return nil
        }
    }

    /// Throws where it was refused, or some of it was left out.
    func checkDone(in name: ListName) throws(Failure) {
        if case .refused(let refusal) = answer.outcome { throw Failure(refusal, of: name) }
        if let skip = answer.skips.last { throw Failure(skip, in: name) }
    }

    var skipped: Set<ElementID> { Set(answer.skips.compactMap(\.id)) }
}

extension ServerMessage.Answer {
    var skips: [Skip] {
        switch outcome {
        case .logged(_, let skips), .nothing(let skips): skips
        case .refused: []
        }
    }
}

extension [ElementID] {
    func without(_ skipped: Set<ElementID>) -> [ElementID] { filter { !skipped.contains($0) } }
}

extension [UserName] {
    /// Who was told of a deletion.
    var toldSentence: String {
        guard !isEmpty else { return "" }
        let names = map { Printing.masked($0.text) }.joined(separator: ", ")
        return count == 1
            ? " \(names) is editing it and has been told."
            : " \(names) are editing and have been told."
    }
}
