internal import ListModel
internal import ListReplica

/// Writing into a row whose last commit has no outcome yet.
extension ScreenSession {
    /// A commit that was never sent becomes the editor's text again, to be mended. False: it may
    /// be at the server already.
    func takeBackCommit(of id: ElementID, _ now: Timestamp) -> Bool {
        guard let commit = editor(id)?.commit else { return true }
        guard core.reconsider(id, in: list, at: now) else { return false }
        expected[commit.n] = nil
        counting.changed()
        say("Your change was not sent yet; it is in the editor again, and Enter keeps it.", .news)
        return true
    }

    /// The row's title is typed into as if its editor were open already.
    func writeAhead(of id: ElementID) {
        let seen = rows[id]?.fields[.title] ?? .null
        let title = LineField(Self.spelling(seen, of: .title))
        var writing = Writing(id: id, inputs: [Writing.Input(name: .title, field: title)])
        writing.ahead = Writing.Ahead(seen: seen, isNote: replica?.note.isEmpty ?? false)
        go(to: .writing(writing))
        hold()
        say("\(sentence(for: .committing, id)) What you type goes on from it.", .news)
    }

    func writeAhead(_ writing: Writing, _ key: Key, _ wasDropping: Bool) {
        guard let ahead = writing.ahead else { return }
        var writing = writing
        let isTouched = changes(in: writing, since: ahead) != nil
        switch key {
        case .escape where isTouched && !wasDropping:
            isDropping = true
            say("Not saved. Esc again drops your text.", .trouble)
        case .escape:
            if ahead.isNote { core.jot("", in: list, at: lastKeyAt) }
            browseAgain()
            if wasDropping { say("Your text was dropped.", .done) }
        case .enter, .tab, .backTab, .up, .down:
            say("\(sentence(for: .committing, writing.id)) It has to be decided first.", .trouble)
        default:
            guard writing.field.handle(key) else { return }
            mode = .writing(writing)
            let text = changes(in: writing, since: ahead) == nil ? "" : writing.field.text
            if ahead.isNote { core.jot(text, in: list, at: lastKeyAt) }
        }
    }

    private func changes(in writing: Writing, since ahead: Writing.Ahead) -> Fields? {
        let text = writing.field.text
        guard text != Self.spelling(ahead.seen, of: .title) else { return nil }
        return Fields([.title: Self.value(text, of: .title)])
    }

    /// The outcome that an editor waited for is known: it opens with what was typed, or its row is
    /// gone and the text is kept as a row that was begun.
    func goOnIfDecided(_ now: Timestamp) {
        guard case .writing(var writing) = mode, let ahead = writing.ahead,
            editor(writing.id)?.commit == nil
        else { return }
        let id = writing.id
        let changes = changes(in: writing, since: ahead)
        writing.ahead = nil
        if editor(id) == nil {
            do throws(EditorFault) {
                _ = try core.edit(id, .draft, in: list, at: now)
            } catch {
                return keepAsNote(changes == nil ? "" : writing.field.text, ahead, error, id, now)
            }
        }
        if let changes { keep(changes, over: Fields([.title: ahead.seen]), in: id, now) }
        if ahead.isNote { core.jot("", in: list, at: now) }
        guard editor(id)?.vanish == nil else {
            return turn(to: .vanished(Vanished(id: id, writing: writing)), now)
        }
        mode = .writing(writing)
        follow(id)
    }

    private func keepAsNote(
        _ text: String, _ ahead: Writing.Ahead, _ fault: EditorFault, _ id: ElementID,
        _ now: Timestamp
    ) {
        go(to: .browsing)
        release()
        let why = sentence(for: fault, id)
        guard !text.isEmpty else { return say(why, .trouble) }
        let begun = ahead.isNote ? "" : (replica?.note ?? "") + " "
        core.jot(begun + text, in: list, at: now)
        say("\(why) Your text is kept: a adds it as a new row.", .trouble)
        turnedAt = now
    }
}
