internal import ListModel
internal import ListProtocol
internal import ListReplica

/// Keys on the rows.
extension ScreenSession {
    func browse(_ key: Key, _ now: Timestamp) {
        if move(key) { return }
        switch key {
        case .text("/"): go(to: .asking(Question(kind: .search, field: LineField())))
        case .text("f"): go(to: .asking(Question(kind: .filter, field: LineField(filterText))))
        case .text("n"): search(forward: true)
        case .text("N"): search(forward: false)
        case .text("v"): mark()
        case .text("?"): go(to: .reading(KeyHelp.reading))
        case .text("q"): quit()
        case .text("M"):
            isMouseOn.toggle()
            wish(.mouse(isMouseOn))
            say(isMouseOn ? "The mouse is on; M turns it off." : "The mouse is off.", .done)
        case .text("R"): core.goOnline(at: now)
        case .escape: back()
        case .control("l"): wish(.repaint)
        case .click(let line): click(line)
        case .paste: say("Pasted text goes into a row: a adds one, e edits one.", .trouble)
        default: change(key, now)
        }
    }

    /// Keys that only move the selection.
    private func move(_ key: Key) -> Bool {
        switch key {
        case .text("j"), .down: step(1)
        case .text("k"), .up: step(-1)
        case .text("g"), .home: select(0)
        case .text("G"), .end: select(rowCount - 1)
        case .control("d"): step(max(1, scroll.height / 2))
        case .control("u"): step(-max(1, scroll.height / 2))
        case .pageDown, .control("f"): step(max(1, scroll.height - 1))
        case .pageUp, .control("b"): step(-max(1, scroll.height - 1))
        default: return false
        }
        return true
    }

    /// Keys that change something.
    private func change(_ key: Key, _ now: Timestamp) {
        if let gone = replica?.gone {
            return say("Nothing can be changed: \(gone.sentence(clock)).", .trouble)
        }
        switch key {
        case .text("a"): beginAdding()
        case .text("e"), .enter: onRow(typing: now) { beginWriting($0, now) }
        case .text("E"): onRow(typing: now) { beginOutside($0, now) }
        case .text("H"): askHistory(now)
        case .text(" "): onRows { toggle($0, now) }
        case .text("d"): onRows { delete($0, now) }
        case .text("K"), .altUp: onRows { shift($0, -1, now) }
        case .text("J"), .altDown: onRows { shift($0, 1, now) }
        case .text("u"):
            takeBack(core.undo(in: list, at: now), isRedo: false)
        case .text("U"): takeBack(core.redo(in: list, at: now), isRedo: true)
        case .text(let text): say("\(text) has no meaning here; ? shows the keys.", .trouble)
        default: break
        }
    }

    /// The selected row, where it is one: what is gone is never acted on, nor is its neighbour.
    private func onRow(_ act: (ElementID) -> Void) {
        guard let cursor else { return say("There is no row. a adds one.", .trouble) }
        guard cursorIsLiving else { return say(whyGone(cursor), .trouble) }
        act(cursor)
    }

    /// As `onRow`; where there is nothing to type into, what is typed does nothing.
    private func onRow(typing now: Timestamp, _ act: (ElementID) -> Void) {
        onRow(act)
        if cursor != nil, !cursorIsLiving { turn(to: .browsing, now) }
    }

    /// The marked rows in their order, else the selected one.
    private func onRows(_ act: ([ElementID]) -> Void) {
        guard marked.isEmpty else { return act(markedInOrder) }
        onRow { act([$0]) }
    }

    var markedInOrder: [ElementID] {
        marked.sorted { (rows.index(of: $0) ?? 0) < (rows.index(of: $1) ?? 0) }
    }

    /// Somebody moved the selected row out of sight: no key acts on it before it is seen.
    func reveal() {
        scroll.isAway = false
        if let cursor { say("\(quoted(cursor)) was moved here.", .news) }
    }

    private func whyGone(_ id: ElementID) -> String {
        guard rows[id] == nil else {
            return "The filter no longer shows \(quoted(id)). Nothing was done; f changes it."
        }
        guard case .grave(let grave?) = rows.standing(of: id) else {
            return "The row is gone. Nothing was done; j and k go to others."
        }
        return "\(grave.by) deleted \(quoted(id)) at \(clock(grave.at)). Nothing was done."
    }

    private func mark() {
        onRow { id in
            if marked.remove(id) == nil { marked.insert(id) }
            step(1)
        }
        if !marked.isEmpty { say("\(counted(marked.count, "row")) marked. Esc unmarks.", .done) }
    }

    /// Esc: one thing back.
    private func back() {
        if !marked.isEmpty {
            marked = []
        } else if replica?.view != nil {
            replica?.show(nil)
            say("All rows are shown.", .done)
        }
    }

    private func click(_ line: Int) {
        // The header stands above the rows.
        guard scroll.window.indices.contains(line - 1),
            case .element(let id) = scroll.window[line - 1]
        else { return }
        select(id)
    }

    func wheel(_ lines: Int) {
        switch mode {
        case .browsing: step(lines)
        case .reading(let reading): read(reading, lines < 0 ? .up : .down)
        default: break
        }
    }

    private func beginAdding() {
        hold(adding: true)
        go(to: .adding(LineField(replica?.note ?? "")))
    }

    private func askHistory(_ now: Timestamp) {
        guard let cursor else { return }
        guard
            let request = core.ask(
                { .history($0, list, of: cursor, before: nil, limit: 200) }, at: now)
        else {
            guard case .refused(let refusal) = core.link.state else {
                return say("The history is the server's, which is away.", .trouble)
            }
            return say(thrownOut(refusal), .trouble)
        }
        historyRequest = (request, cursor)
    }
}

extension ScreenSession {
    func counted(_ count: Int, _ what: String) -> String { Verbs.counted(count, what) }

    /// An element by its title, living or dead.
    func quoted(_ id: ElementID) -> String {
        switch rows.standing(of: id) {
        case .living(let element): RowText.quoted(element.fields, id)
        case .grave(let grave?): RowText.quoted(grave.last.fields, id)
        case .grave(nil), .unknown:
            RowText.quoted(replica?.editors[id]?.shown ?? Fields(), id)
        }
    }
}

extension ServerMessage.Gone {
    /// What became of the list.
    func sentence(_ clock: (Timestamp) -> String) -> String {
        switch code {
        case .accessLost: "You may no longer read this list"
        default: "\(by?.text ?? "Somebody") deleted the list at \(clock(at))"
        }
    }
}
