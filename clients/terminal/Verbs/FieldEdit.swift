internal import Glibc
internal import ListModel
internal import ListProtocol
internal import ListReplica
internal import ProgramArguments
internal import Samelist

/// One field of one row being written by `samelist edit`.
@MainActor
struct FieldEdit {
    let talk: Conversation
    let replica: Replica
    let id: ElementID
    let field: FieldName
    let call: Invocation
    /// The version that the row must still have.
    var version: Version?
    /// What the field was when the user began to look at it.
    private var seen: Value?
    /// Where the text is until it is saved.
    private var file: String?

    init(
        talk: Conversation, replica: Replica, id: ElementID, field: FieldName, call: Invocation
    ) {
        self.talk = talk
        self.replica = replica
        self.id = id
        self.field = field
        self.call = call
    }

    /// The row, as it is or was last.
    var row: Fields {
        switch replica.list.standing(of: id) {
        case .living(let element): element.fields
        case .grave(let grave): grave?.last.fields ?? Fields()
        case .unknown: Fields()
        }
    }

    /// Writes a text, or says by whom the row was deleted and that nothing was written.
    func write(_ text: String) async throws(Failure) -> Written {
        guard replica.list[id] != nil else { return try await gone(text) }
        var changes = Fields()
        changes[field] = .text(text)
        try talk.checkSize(of: row.writing(changes), id)
        var condition = Condition(version: version)
        if let seen { condition.fields = Fields([field: seen]) }
        let operation = Operation(.set(id, changes), if: condition)
        let n = talk.submit([operation], to: replica.name)
        let report = try await talk.outcome(of: n)
        for skip in report.answer.skips {
            if skip.code == .removed { return try await gone(text) }
            if skip.code == .changedSince { throw changed(by: skip.by) }
        }
        return Written(report: report)
    }

    /// The text in the user's own editor, as others see. The file stays wherever it was not saved.
    mutating func inEditor() async throws(Failure) -> Written {
        guard let element = replica.list[id] else { return try await gone(nil) }
        let old = element.fields[field] ?? .null
        guard let text = old == .null ? "" : old.text else {
            throw .usage("\(field) of \(id) is no text; samelist set changes it.")
        }
        seen = old
        let outside = OutsideEditor(folder: call.settings.folder)
        let file = outside.file(of: id, in: replica.name)
        guard outside.prepare(file, text) else {
            throw Failure(.refused, "state_failed", "cannot write \(masked(file)).")
        }
        self.file = file
        _ = try? talk.client.perform { core, now in
            try core.edit(id, .draft, in: replica.name, at: now)
        }
        let isDone = await outside.run(file)
        guard isDone, let new = outside.text(in: file) else {
            throw Failure(.refused, "not_saved", "the editor failed.\(keptIn)")
        }
        talk.client.perform { core, now in
            _ = core.cancel(id, in: replica.name, at: now)
        }
        let written = try await write(new)
        unlink(file)
        return written
    }

    private var keptIn: String { file.map { " Your text is kept in \(masked($0))." } ?? "" }

    private func changed(by name: UserName?) -> Failure {
        let who = name.map { " by \(Printing.masked($0.text))" } ?? ""
        return Failure(
            .vanished, Code.changedSince.rawValue,
            "row \(id) \(RowText.quoted(row, id)) was changed\(who) meanwhile; nothing was written."
                + (keptIn.isEmpty ? " samelist ls \(replica.name) shows it as it is now." : keptIn),
            id: id)
    }

    /// The row is deleted: adds the text as a new one where that is wished.
    private func gone(_ text: String?) async throws(Failure) -> Written {
        let grave = try await grave()
        let last = grave?.last.fields ?? Fields()
        guard let text, call.has(.orAdd) else {
            let title = last[.title]?.text == nil ? "" : " \(RowText.quoted(last, id))"
            let who = grave.map { grave in
                " by \(Printing.masked(grave.by.text)) at \(LocalClock.timeOfDay(grave.at))"
            }
            let advice = text == nil ? "" : " Use --or-add to add it as a new row."
            throw Failure(
                .vanished, Code.removed.rawValue,
                "row \(id)\(title) was deleted\(who ?? ""); nothing was written.\(keptIn)\(advice)",
                id: id)
        }
        let new = Fresh.element()
        var fields = last
        fields[field] = .text(text)
        try talk.checkSize(of: fields, new)
        let n = talk.submit(
            [Operation(.insert(new, at: .after(id), fields))], to: replica.name)
        return Written(report: try await talk.outcome(of: n), added: new)
    }

    private func grave() async throws(Failure) -> Grave? {
        guard case .fates(let fates) = try await talk.ask({ .fates($0, replica.name, [id]) }) else {
            return nil
        }
        for case .deleted(let grave) in fates { return grave }
        return nil
    }
}

/// What became of a text.
struct Written {
    let report: Report
    /// The new row that took it.
    var added: ElementID?

    var version: Version? {
        guard case .logged(let version, _) = report.answer.outcome else { return nil }
        return version
    }
}

extension Invocation {
    /// Another program can have the terminal.
    func checkTerminal() throws(Failure) {
        guard settings.asks, StandardStreams.isTerminal(STDIN_FILENO),
            StandardStreams.isTerminal(STDOUT_FILENO)
        else {
            throw .usage(
                "\(verb.name) needs --from FILE, or - for standard input, where there is no "
                    + "terminal for $VISUAL or $EDITOR.")
        }
    }
}
