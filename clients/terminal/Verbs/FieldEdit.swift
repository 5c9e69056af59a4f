internal import Glibc
internal import ListModel
internal import ListProtocol
internal import ListReplica
internal import ProgramArguments
internal import Samelist

/// A row being written by `samelist edit`: one field of it, or all in the user's own editor.
@MainActor
struct FieldEdit {
    let talk: Conversation
    let replica: Replica
    let id: ElementID
    /// The one that is written; `nil`: all of them, in an editor.
    let field: FieldName?
    let call: Invocation
    /// The version that the row must still have.
    var version: Version?
    /// What the fields were when the user began to look at them.
    private var seen: Fields?

    init(
        talk: Conversation, replica: Replica, id: ElementID, field: FieldName?, call: Invocation
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
        try await write(Fields([field ?? .title: .text(text)]))
    }

    private func write(_ changes: Fields) async throws(Failure) -> Written {
        try talk.checkList(replica)
        guard replica.list[id] != nil else { return try await gone(changes) }
        try talk.checkSize(of: row.writing(changes), id)
        var condition = Condition(version: version)
        if let seen {
            let old = changes.names.map { ($0, seen[$0] ?? .null) }
            condition.fields = Fields(Dictionary(old) { $1 })
        }
        let operation = Operation(.set(id, changes), if: condition)
        let n = talk.submit([operation], to: replica.name)
        let report = try await talk.outcome(of: n)
        for skip in report.answer.skips {
            if skip.code == .removed { return try await gone(changes) }
            if skip.code == .changedSince { throw changed(by: skip.by) }
        }
        return Written(report: report)
    }

    /// The row in the user's own editor, as others see. The file stays wherever it was not saved.
    mutating func inEditor() async throws(Failure) -> Written {
        guard let element = replica.list[id] else { return try await gone(nil) }
        seen = element.fields
        let old = try textToEdit(element.fields)
        let outside = OutsideEditor(folder: call.settings.folder)
        let file = outside.file(of: id, in: replica.name)
        if let why = outside.prepare(file, old) {
            throw Failure(.refused, "state_failed", "cannot write \(masked(file)): \(why).")
        }
        _ = try? talk.client.perform { core, now in
            try core.edit(id, .draft, in: replica.name, at: now)
        }
        let outcome = await outside.run(file, on: old)
        talk.client.perform { core, now in
            _ = core.cancel(id, in: replica.name, at: now)
        }
        let new = try text(of: outcome, file)
        do throws(Failure) {
            let written = try await write(try changes(from: old, to: new))
            try written.report.checkDone(in: replica.name)
            unlink(file)
            return written
        } catch {
            throw error.adding("Your text is kept in \(masked(file)).")
        }
    }

    private func textToEdit(_ fields: Fields) throws(Failure) -> String {
        guard let field else {
            return RowFile.text(of: fields, heading: "Row \(id) of \(replica.name)")
        }
        let old = fields[field] ?? .null
        guard let text = old == .null ? "" : old.text else {
            throw .usage("\(field) of \(id) is no text; samelist set changes it.")
        }
        return text
    }

    private func text(
        of outcome: OutsideEditor.Outcome, _ file: String
    ) throws(Failure) -> String {
        let sentence: String
        switch outcome {
        case .text(let text): return text
        case .notBegun(let why): sentence = "cannot write \(masked(file)): \(why)."
        case .failed(let how, wrote: true):
            sentence = "the editor \(how). Your text is kept in \(masked(file))."
        case .failed(let how, wrote: false):
            sentence = "the editor \(how); nothing was written."
        case .noFile: sentence = "the editor left no file; nothing was written."
        case .notText:
            sentence = "what the editor wrote is no UTF-8. It is kept in \(masked(file))."
        }
        throw Failure(.refused, "not_saved", sentence, id: id)
    }

    private func changes(from old: String, to new: String) throws(Failure) -> Fields {
        if let field { return Fields([field: .text(new)]) }
        do throws(RowFile.Fault) {
            return try RowFile.changes(from: old, to: new)
        } catch {
            throw Failure(
                .refused, "malformed",
                "line \(error.line) of the text \(error.sentence).", id: id)
        }
    }

    private func changed(by name: UserName?) -> Failure {
        let who = name.map { " by \(Printing.masked($0.text))" } ?? ""
        return Failure(
            .vanished, Code.changedSince.rawValue,
            "row \(id) \(RowText.quoted(row, id)) was changed\(who) meanwhile; nothing was written."
                + " samelist ls \(replica.name) shows it as it is now.",
            id: id)
    }

    /// The row is deleted: adds the text as a new one where that is wished.
    private func gone(_ changes: Fields?) async throws(Failure) -> Written {
        let grave = try await grave()
        let last = grave?.last.fields ?? Fields()
        guard let changes, call.has(.orAdd) else {
            let title = last[.title]?.text == nil ? "" : " \(RowText.quoted(last, id))"
            let who = grave.map { grave in
                " by \(Printing.masked(grave.by.text)) at \(LocalClock.timeOfDay(grave.at))"
            }
            let advice = changes == nil ? "" : " Use --or-add to add it as a new row."
            throw Failure(
                .vanished, Code.removed.rawValue,
                "row \(id)\(title) was deleted\(who ?? ""); nothing was written.\(advice)",
                id: id)
        }
        let new = Fresh.element()
        let fields = last.writing(changes)
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
