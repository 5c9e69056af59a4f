internal import ListModel
internal import ProgramArguments

/// Elements as people name them: by ID, or by the beginning of one where only one begins so.
struct ElementWords {
    private let name: ListName
    /// Whom a beginning may mean: those that live, or those that are in a grave.
    private let meant: [ElementID]
    private let others: [ElementID]
    private let isKnown: (ElementID) -> Bool

    /// - Parameter graves: the deleted ones are meant first.
    init(_ list: ListState, of name: ListName, graves: Bool = false) {
        var living: [ElementID] = []
        var dead: [ElementID] = []
        let sort = { (element: Element, grave: Grave??) in
            if grave == nil { living.append(element.id) } else { dead.append(element.id) }
        }
        list.forEach(sort)
        self.name = name
        meant = graves ? dead : living
        others = graves ? living : dead
        isKnown = { id in
            if case .unknown = list.standing(of: id) { return false }
            return true
        }
    }

    func id(_ word: String) throws(Failure) -> ElementID {
        if let id = ElementID(word), isKnown(id) { return id }
        for ids in [meant, others] {
            let candidates = ids.filter { $0.text.utf8.starts(with: word.utf8) }
            if candidates.count == 1 { return candidates[0] }
            if candidates.count > 1 { throw ambiguous(word, candidates) }
        }
        throw Failure(
            .refused, Code.noSuchElement.rawValue,
            "\(name) has no row \(masked(word)); samelist ls \(name) shows them.")
    }

    func ids(_ words: [String]) throws(Failure) -> [ElementID] {
        var found: [ElementID] = []
        for word in words {
            let id = try id(word)
            if !found.contains(id) { found.append(id) }
        }
        return found
    }

    func place(_ place: WordedPlace) throws(Failure) -> Place {
        switch place {
        case .first: .first
        case .last: .last
        case .after(let word): .after(try id(word))
        case .before(let word): .before(try id(word))
        }
    }

    private func ambiguous(_ word: String, _ candidates: [ElementID]) -> Failure {
        let shown = candidates.prefix(8).map(\.text).joined(separator: " ")
        let more = candidates.count > 8 ? " and \(candidates.count - 8) more" : ""
        return Failure(
            .refused, "ambiguous",
            "\(masked(word)) could be any of \(shown)\(more); write more of the ID.")
    }
}
