import Glibc
internal import ListModel
internal import ListReplica

/// A view as it was asked for, and which rows it must have, found by looking at every element.
struct Lens {
    let word: String
    let sort: FieldName?
    let pins: Bool

    func admits(_ fields: Fields) -> Bool {
        // What people write here is ASCII, in lower case.
        word.isEmpty
            || fields.pairs.contains { $0.value.text.map { strstr($0, word) != nil } ?? false }
    }

    /// For an editor that is opened now on what is in the list; `nil`: not through this view.
    func isInView(_ fields: Fields) -> Bool? {
        guard !word.isEmpty || sort != nil, !pins || admits(fields) else { return nil }
        return admits(fields)
    }

    func view(of list: ListState) -> View {
        View(Filter(text: word), sort: sort.map { Sort($0) }, pins: pins, of: list)
    }

    /// What is wrong with the rows; `nil`: nothing.
    func fault(of replica: Replica) -> String? {
        let pinned = Set(
            replica.openEditors.filter { pins && $0.isInView != nil && $0.vanish == nil }.map(\.id))
        var rows = replica.list.elements.filter { admits($0.fields) || pinned.contains($0.id) }
        if let sort { rows = rows.sorted(by: sort) }
        let shown = replica.view?.rows ?? []
        if shown == rows { return nil }
        return "shows \(shown.map(\.id)), and should \(rows.map(\.id))"
    }
}

extension [Element] {
    /// By insertion, so that equal ones stay as they were. The fields hold texts, numbers, nothing.
    fileprivate func sorted(by field: FieldName) -> [Element] {
        var result: [Element] = []
        for element in self {
            let value = element.fields[field]
            let at = result.firstIndex { value.isBefore($0.fields[field]) }
            result.insert(element, at: at ?? result.count)
        }
        return result
    }
}

extension Value? {
    fileprivate func isBefore(_ other: Value?) -> Bool {
        switch (self, other) {
        case (.text(let left)?, .text(let right)?): left < right
        case (.int(let left)?, .int(let right)?): left < right
        case (nil, .some), (.int?, .text?): true
        default: false
        }
    }
}
