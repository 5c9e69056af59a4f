internal import ListModel
internal import ListReplica

/// A text that another program edits, and the row that it is made of.
struct Outside {
    let id: ElementID
    /// The row's fields as they were seen then, as a text.
    let old: String
    let seen: Fields
    /// An earlier file, all of which is in the new one.
    var earlier: String?
}

/// A text that came back from another program and cannot be read as fields.
struct UnreadText {
    let outside: Outside
    let text: String
    let file: String
}

/// Another program edits all fields of a row, in a file.
extension ScreenSession {
    func beginOutside(_ id: ElementID, _ now: Timestamp) {
        guard takeBackCommit(of: id, now) else {
            say("\(sentence(for: .committing, id)) E again once it is decided.", .trouble)
            return turn(to: .browsing, now)
        }
        guard let editor = openEditor(id, now) else { return turn(to: .browsing, now) }
        var text = RowFile.text(of: editor.value, heading: "Row \(id) of \(list)")
        var outside = Outside(id: id, old: text, seen: editor.value)
        if let unread = unread[id] {
            text = unread.text
            outside = unread.outside
            outside.earlier = unread.file
        }
        go(to: .outside(outside))
        hold()
        wish(.edit(id, text: text))
    }

    /// Files that an earlier run left, the first of them by its name.
    func sayKept(in files: [String]) {
        guard let file = files.first else { return }
        let more = files.count > 1 ? " (and \(files.count - 1) more: samelist status)" : ""
        guard let notice else {
            return say("A text of yours that was not saved is kept in \(file)\(more)", .news)
        }
        say("\(notice.text) A text of your editor is in \(file)\(more)", notice.kind)
    }

    /// Work that waits for another client to take it up.
    func sayKept(elsewhere sentence: String?) {
        guard let sentence else { return }
        say([notice?.text, sentence].compactMap(\.self).joined(separator: " ") + ".", .news)
    }

    /// What is not done when the program ends, and where it is kept.
    func leftBehind(files: [String]) -> [String] {
        var lines: [String] = []
        let waiting = (replica?.unresolved.count ?? 0) - unkept
        if waiting > 0 {
            let verb = waiting == 1 ? "waits" : "wait"
            lines.append("\(counted(waiting, "change")) of \(list) \(verb) for the server.")
        }
        let drafts = replica?.openEditors.filter { $0.hasDraft && $0.commit == nil } ?? []
        for draft in drafts {
            let title = quoted(draft.id)
            lines.append("your text for \(title) is kept: samelist open \(list) goes on with it.")
        }
        if replica?.note.isEmpty == false {
            lines.append("a new row that you began is kept: samelist open \(list) goes on with it.")
        }
        return lines + files.map { "a text of yours that was not saved is in \($0)" }
    }

    /// The other program has ended.
    func endOutside(
        _ id: ElementID, _ outcome: OutsideEditor.Outcome, file: String, at now: Timestamp
    ) {
        defer { settle(now) }
        guard editor(id) != nil, case .outside(let outside) = mode, outside.id == id else {
            return browseAgain()
        }
        switch outcome {
        case .text(let text): take(text, from: file, outside, now)
        case .notBegun(let why): giveUp(id, "No file can be written for your editor: \(why)", now)
        case .failed(let how, wrote: true):
            giveUp(id, "Your editor \(how). What it wrote is in \(file)", now)
        case .failed(let how, wrote: false):
            giveUp(id, "Your editor \(how). Nothing was changed.", now)
        case .noFile: giveUp(id, "Your editor left no file. Nothing was changed.", now)
        case .notText:
            giveUp(id, "What your editor wrote is no UTF-8. It is kept in \(file)", now)
        }
    }

    private func take(_ text: String, from file: String, _ outside: Outside, _ now: Timestamp) {
        let id = outside.id
        if let earlier = outside.earlier { wish(.remove(file: earlier)) }
        unread[id] = nil
        do throws(RowFile.Fault) {
            let changes = try RowFile.changes(from: outside.old, to: text)
            if !changes.isEmpty { keep(changes, over: outside.seen, in: id, now) }
        } catch {
            unread[id] = UnreadText(outside: outside, text: text, file: file)
            let fault = "Line \(error.line) of your text \(error.sentence)."
            return giveUp(id, "\(fault) E goes on with it; it is in \(file)", now)
        }
        guard let editor = editor(id) else { return browseAgain() }
        // All that an earlier file held is in this one.
        if let old = files[id], old != file { wish(.remove(file: old)) }
        if editor.hasDraft { files[id] = file } else { wish(.remove(file: file)) }
        if editor.vanish != nil { return showVanished(editor, file) }
        guard editor.hasDraft else {
            _ = core.cancel(id, in: list, at: now)
            browseAgain()
            return say("Nothing was changed.", .done)
        }
        commit(id, .ifUnchanged, now)
        if case .conflict = mode { say("Your text is also in \(file)", .trouble) }
    }

    private func showVanished(_ editor: Editor, _ file: String) {
        go(to: .vanished(Vanished(id: editor.id)))
        if editor.hasDraft { say("Your text is also in \(file)", .trouble) }
    }

    /// Nothing came of it; what was typed before stays.
    private func giveUp(_ id: ElementID, _ sentence: String, _ now: Timestamp) {
        if editor(id)?.vanish != nil {
            go(to: .vanished(Vanished(id: id)))
        } else {
            if editor(id)?.hasDraft != true { _ = core.cancel(id, in: list, at: now) }
            browseAgain()
        }
        say(sentence, .trouble)
    }
}
