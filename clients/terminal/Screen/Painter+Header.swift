internal import ListModel
internal import ListReplica

/// The first line: the list on the left, who is here and how we stand with the server on the right.
extension Painter {
    var header: FrameLine {
        let rights = rights
        if let full = rights.first, let left = leftWithCutTitle(beside: full) {
            return line(left, full)
        }
        for left in lefts {
            for right in rights where room(beside: right) >= Glyphs.width(of: left) {
                return line(left, right)
            }
        }
        return line(Glyphs.cut(lefts.last ?? "", to: width - 2), "")
    }

    private func room(beside right: String) -> Int { width - Glyphs.width(of: right) - 4 }

    /// A long title gives way to who is here, as long as some of it remains.
    private func leftWithCutTitle(beside right: String) -> String? {
        guard session.replica?.view == nil, !session.rows.title.isEmpty else { return nil }
        let name = session.list.text + "   "
        let open = "   \(session.counting.open) open"
        let title = Glyphs.shown(session.rows.title)
        let room = room(beside: right) - Glyphs.width(of: name) - Glyphs.width(of: open)
        guard room < Glyphs.width(of: title), room >= Self.leastTitle else { return nil }
        return name + Glyphs.cut(title, to: room) + open
    }

    /// Columns of a title that are worth having.
    private static let leastTitle = 8

    private func line(_ left: String, _ right: String) -> FrameLine {
        var line = FrameLine(" " + left)
        line.pad(to: width - Glyphs.width(of: right) - 1)
        line.add(right)
        line.pad(to: width)
        return line.cut(to: width).with(.reverse)
    }

    /// The longest first.
    private var lefts: [String] {
        let name = session.list.text
        guard let view = session.replica?.view else {
            let title = session.rows.title.isEmpty ? [] : [Glyphs.shown(session.rows.title)]
            let open = "\(session.counting.open) open"
            return [([name] + title + [open]).joined(separator: "   "), name + "   " + open, name]
        }
        let filter = Glyphs.shown(session.filterText)
        let count = "\(view.count) of \(session.rows.count)"
        return ["\(name)   filter \(filter): \(count)", "\(name)   filter: \(count)", name]
    }

    private var rights: [String] {
        guard let replica = session.replica else { return [""] }
        if let gone = replica.gone {
            return [gone.sentence(session.clock), "gone"].map(Glyphs.shown)
        }
        let waiting = replica.unresolved.count
        let changes = waiting == 0 ? "" : ", \(session.counted(waiting, "change")) waiting"
        let few = waiting == 0 ? "" : ", \(waiting) waiting"
        switch session.core.link.state {
        case .online where replica.isLive:
            let version = "version \(replica.speculation.confirmedHead)"
            let here = here(replica)
            return [
                "\(here)   online\(changes)  \(version)", "\(here)   online\(few)",
                "online\(few)  \(version)", "online\(few)", "on\(few)", "on",
            ]
        case .online:
            if case .failed(let refusal) = replica.sync {
                let isUnknown = refusal.code == .noSuchList
                let word = isUnknown ? "unknown to the server" : "not to be had"
                return [word + changes, word, isUnknown ? "unknown" : "failed"]
            }
            return ["fetching the list\(changes)", "fetching", ""]
        case .refused(let refusal):
            return ["refused: \(Glyphs.shown(refusal.sentence))", "refused"]
        case .idle, .waiting, .connecting, .greeting: return away(changes, few)
        }
    }

    private func away(_ changes: String, _ few: String) -> [String] {
        guard let since = session.core.link.offlineSince else {
            return ["connecting\(changes)", "connecting", "off"]
        }
        let offline = "offline since \(session.clock(since))"
        var retry = ", trying"
        if case .waiting(let until) = session.core.link.state {
            let left = max(0, until.milliseconds - now.milliseconds)
            retry = ", retry in \((left + 999) / 1_000) s"
        }
        return [
            offline + changes + retry, offline + changes, offline + few, "offline\(few)",
            "off\(few)",
            "off",
        ]
    }

    /// The names of those who have the list open, each once.
    private func here(_ replica: Replica) -> String {
        let names = Set(replica.presence.values.map(\.name)).sorted().map(\.text)
        let shown = names.prefix(6).map(Glyphs.shown).joined(separator: ", ")
        return names.count > 6 ? "\(shown) and \(names.count - 6) more" : shown
    }
}
