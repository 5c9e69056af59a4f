internal import ListModel
internal import ListProtocol
internal import ListReplica

/// Commands on editors.
extension ShellSession {
    func carryOutEdit(_ command: ShellCommand, _ list: ListName, _ now: Timestamp) {
        do throws(EditorFault) {
            switch command {
            case .edit(let id, let policy):
                try edit(id, policy, list, now)
            case .draft(let id, let fields):
                if let n = try core.type(fields, into: id, in: list, at: now) {
                    expect(n, .version)
                } else {
                    wait = .saved(core.ticket, .ok())
                    finishSaved()
                }
            case .commit(let id, let mode):
                if let n = try core.commit(id, mode, in: list, at: now) {
                    expect(n, .version)
                } else {
                    answer(.ok(.word("noop", as: "state")))
                }
            case .cancel(let id):
                guard core.cancel(id, in: list, at: now) else { throw .notOpen }
                wait = .saved(core.ticket, .ok())
                finishSaved()
            case .saveNew(let id, let given, let place):
                let new = given ?? freshID()
                let n = try core.saveAsNew(id, as: new, at: place, in: list, at: now)
                expect(n, .id(new))
            default: break
            }
        } catch {
            answer(error.line, error.exit)
        }
    }

    /// A commit that was not sent yet is taken back: its draft can be mended.
    private func edit(
        _ id: ElementID, _ policy: Editor.Policy, _ list: ListName, _ now: Timestamp
    ) throws(EditorFault) {
        let name = Line.Part.word(id.text, as: "id")
        if core.reconsider(id, in: list, at: now), let editor = replica?.editors[id] {
            return answer(.ok(name, .fields(editor.value)))
        }
        if replica?.gone == nil, replica?.editors[id]?.commit != nil { throw .committing }
        do throws(EditorFault) {
            answer(.ok(name, .fields(try core.edit(id, policy, in: list, at: now).shown)))
        } catch {
            guard case .vanished(let vanish) = error, vanish.cause == .deleted,
                replica?.editors[id] == nil
            else { throw error }
            tellGrave(of: id, vanish, list, now)
        }
    }

    /// The element was deleted before: by whom and when, which may be the server's to tell.
    private func tellGrave(
        of id: ElementID, _ vanish: Vanish, _ list: ListName, _ now: Timestamp
    ) {
        let code = EditorFault.vanished(vanish).word
        guard vanish.by == nil, core.link.isOnline else {
            return answer(.error(code, Self.sentence(of: id, vanish.by, vanish.at)), .vanished)
        }
        let show = { (reply: Reply) -> [Line] in
            guard case .fates(let fates) = reply, case .deleted(let grave)? = fates.first else {
                return [.error(code, Self.sentence(of: id, nil, nil))]
            }
            return [.error(code, Self.sentence(of: id, grave.by, grave.at))]
        }
        ask({ .fates($0, list, [id]) }, now, exit: .vanished, show)
    }

    private static func sentence(of id: ElementID, _ by: UserName?, _ at: Timestamp?) -> String {
        let who = by.map { " by \($0)" } ?? ""
        let when = at.map { " at \(Clock.text($0))" } ?? ""
        return "\(id) was deleted\(who)\(when); restore \(id) brings it back"
    }

    func restoreWithDraft(_ id: ElementID, _ list: ListName, _ now: Timestamp) {
        do throws(EditorFault) {
            expect(try core.restoreWithDraft(id, in: list, at: now), .version)
        } catch {
            answer(error.line, error.exit)
        }
    }

    func showEditors(_ replica: Replica) {
        let editors = replica.openEditors
        for editor in editors {
            var parts: [Line.Part] = [
                .word(editor.id.text, as: "id"), .word(editor.policy.rawValue, as: "policy"),
            ]
            if let vanish = editor.vanish {
                parts.append(.word("vanished", as: "state"))
                parts.append(contentsOf: vanish.parts)
            } else {
                parts.append(.word(editor.commit == nil ? "open" : "committing", as: "state"))
            }
            if editor.hasDraft { parts.append(.fields(editor.touched)) }
            lines.append(.row(parts))
        }
        answer(.ok(.number(Int64(editors.count), as: "count")))
    }

    /// Event lines of an editor.
    func tell(_ event: EditorEvent, of id: ElementID) {
        let name = Line.Part.word(id.text, as: "id")
        switch event {
        case .changed(_, let new, let by, _):
            lines.append(.event("changed", [name, .fields(new), .by(by)]))
        case .conflict(let field, let base, let mine, let theirs, let by):
            lines.append(
                .event(
                    "conflict",
                    [
                        name, .word(field.text, as: "field"), .value(base, as: "base"),
                        .value(mine, as: "mine"), .value(theirs, as: "theirs"), .by(by),
                    ]))
        case .vanished(let vanish): lines.append(.event("vanished", [name] + vanish.parts))
        case .returned(let by): lines.append(.event("returned", [name, .by(by)]))
        case .hidden(let by): lines.append(.event("hidden", [name, .by(by)]))
        case .shown(let by): lines.append(.event("shown", [name, .by(by)]))
        case .presence(let names):
            guard showsPresence else { return }
            lines.append(.event("presence", [name, .words(names.map(\.text), as: "editing")]))
        }
    }
}

extension Vanish {
    var parts: [Line.Part] {
        switch cause {
        case .deleted: [.word("deleted", as: "cause"), .by(by)]
        case .listDeleted: [.word("list-deleted", as: "cause"), .by(by)]
        case .accessLost: [.word("access-lost", as: "cause")]
        case .rejected(let code):
            [.word("rejected", as: "cause"), .word(code.rawValue, as: "code")]
        case .missing: [.word("missing", as: "cause")]
        }
    }
}

extension EditorFault {
    var line: Line { .error(word, sentence) }

    fileprivate var exit: ExitCode {
        switch self {
        case .vanished, .conflict: .vanished
        case .noSuchElement, .alreadyOpen, .notOpen, .readOnly, .notVanished, .committing: .refused
        }
    }

    private var sentence: String {
        switch self {
        case .vanished(let vanish):
            let who = vanish.by.map { " by \($0)" } ?? ""
            return
                "it was deleted\(who); the draft is kept: save-new, restore --with-draft or cancel"
        case .noSuchElement: return "there is no such element; list shows them"
        case .alreadyOpen: return "this shell edits it already; editors shows them"
        case .notOpen: return "it is not being edited here; edit ID opens an editor"
        case .readOnly:
            return "a snapshot editor is a constant copy; open it with --draft or --live"
        case .conflict(let fields):
            let names = fields.map(\.text).joined(separator: ", ")
            return "\(names) changed meanwhile: commit --overwrite or --merge, or cancel"
        case .notVanished: return "its element is still there: commit writes the draft"
        case .committing: return "its draft is on its way already; sync waits for it"
        }
    }
}
