internal import ListModel

/// Makes the edits of a scenario: texts of a given length on rows that are there.
struct EditMaker {
    enum Kind: Sendable {
        /// Renames, row after row.
        case renames
        /// Six of ten rename, two insert, one moves, one deletes or restores.
        case mixed
    }

    let kind: Kind
    /// Of the text of an edit.
    let bytes: Int
    /// Makes names that no other run has.
    let run: String
    private var count = 0
    private var deleted: [ElementID] = []

    init(_ kind: Kind, bytes: Int, run: String) {
        self.kind = kind
        self.bytes = bytes
        self.run = run
    }

    /// The mutations that fill a list: as many rows in one as a server takes.
    func filling(_ rows: Int) -> [[Operation]] {
        let each = max(1, min(1_000, (512 << 10) / (bytes + 128)))
        return stride(from: 0, to: rows, by: each).map { start in
            (start..<min(start + each, rows)).compactMap { number in
                id("row-\(number)").map { insert($0, "row \(number) ") }
            }
        }
    }

    mutating func next(_ list: ListState) -> [Operation] {
        count += 1
        let rows = list.count
        guard rows > 0 else { return fresh() }
        switch kind {
        case .renames: return rename(list.element(at: count % rows))
        case .mixed: return mixed(list, rows)
        }
    }

    private mutating func mixed(_ list: ListState, _ rows: Int) -> [Operation] {
        let row = list.element(at: Int.random(in: 0..<rows))
        guard let row else { return fresh() }
        switch count % 10 {
        case 0, 5: return fresh()
        case 3:
            let other = list.element(at: Int.random(in: 0..<rows))
            guard let other, other.id != row.id else { return rename(row) }
            return [Operation(.move([row.id], to: .after(other.id)))]
        case 7:
            if count % 20 == 7 || deleted.isEmpty {
                deleted.append(row.id)
                return [Operation(.delete(row.id, unlessEdited: false))]
            }
            return [Operation(.restore(deleted.removeLast()))]
        default: return rename(row)
        }
    }

    private func rename(_ row: Element?) -> [Operation] {
        guard let row else { return [] }
        return [Operation(.set(row.id, Fields([.title: .text(text("edit \(count) "))])))]
    }

    private func fresh() -> [Operation] {
        id("new-\(run)-\(count)").map { [insert($0, "new \(count) ")] } ?? []
    }

    private func insert(_ id: ElementID, _ start: String) -> Operation {
        Operation(.insert(id, at: .last, Fields([.title: .text(text(start))])))
    }

    private func id(_ text: String) -> ElementID? { ElementID(text) }

    private func text(_ start: String) -> String {
        start + String(repeating: "x", count: max(0, bytes - start.utf8.count))
    }
}
