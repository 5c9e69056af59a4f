internal import ListModel

/// Which rows are on the screen. It is bound to rows, not to numbers: what others insert or remove
/// above moves nothing that somebody looks at.
struct Scroll {
    /// Rows on the screen when it was last laid out, from the top.
    private(set) var window: [RowKey] = []
    /// The entry that gave the selected row its place, when it was last laid out.
    private var placed: Placed?
    private(set) var height = 0
    /// Lines of the text that has the rows' place.
    private(set) var textLines = 0
    /// Others moved the selected row out of sight: the screen stays until a key is pressed.
    var isAway = false

    /// The first row on the screen, so that those that stay keep their lines, and the selected one
    /// is seen.
    mutating func layOut(_ session: ScreenSession, height: Int) -> Int {
        let count = session.rowCount
        let selected = session.cursorKey.flatMap { session.index(of: $0) } ?? 0
        var top = anchoredTop(session) ?? selected - height / 2
        if wasMoved(session), !window.isEmpty, !(top..<top + height).contains(selected) {
            isAway = true
        }
        if !isAway {
            let isFar = selected < top - height || selected >= top + 2 * height
            if isFar { top = selected - height / 2 }
            top = max(min(top, selected), selected - height + 1)
        }
        top = max(0, min(top, count - height))
        self.height = height
        window = height > 0 ? (top..<min(count, top + height)).compactMap(session.row) : []
        if let cursor = session.cursor, let element = session.rows[cursor] {
            placed = Placed(id: cursor, by: element.placed)
        }
        return top
    }

    /// Whether the row that is selected still has got another place.
    private func wasMoved(_ session: ScreenSession) -> Bool {
        guard let placed, let cursor = session.cursor, cursor == placed.id,
            let element = session.rows[cursor]
        else { return false }
        return element.placed != placed.by && session.rows.head >= element.placed
    }

    /// A page of text has the rows' place.
    mutating func read(_ height: Int, of lines: Int) {
        self.height = height
        textLines = lines
    }

    private struct Placed {
        let id: ElementID
        let by: Version
    }

    /// From the row nearest to the selected one that is still there; from that one itself unless
    /// somebody has moved it.
    private func anchoredTop(_ session: ScreenSession) -> Int? {
        guard let key = session.cursorKey else { return nil }
        let line = window.firstIndex(of: key)
        if let line, !wasMoved(session), let index = session.index(of: key) { return index - line }
        let from = line ?? 0
        for line in window.indices.sorted(by: { abs($0 - from) < abs($1 - from) }) {
            guard window[line] != key, let index = session.index(of: window[line]) else { continue }
            return index - line
        }
        return nil
    }
}

/// How many rows are open. Counting looks at all rows, so a long list is counted rarely.
struct OpenCount {
    private(set) var open = 0
    private var counted: (head: Version, at: Timestamp, count: Int)?
    private var isStale = true

    private static let short = 2_000
    /// Between two counts of a long list, in milliseconds.
    private static let pause: Int64 = 1_000

    mutating func changed() { isStale = true }

    mutating func look(at list: ListState, _ now: Timestamp) {
        guard isStale else { return }
        if let counted, list.count > Self.short, now < counted.at.adding(milliseconds: Self.pause) {
            return
        }
        var open = 0
        let count = { (element: Element, grave: Grave??) in
            if grave == nil, element.fields[RowText.done] != .bool(true) { open += 1 }
        }
        list.forEach(count)
        self.open = open
        counted = (list.head, now, list.count)
        isStale = false
    }

    /// When to look again.
    func due(_ count: Int) -> Timestamp? {
        isStale ? counted?.at.adding(milliseconds: Self.pause) : nil
    }
}
