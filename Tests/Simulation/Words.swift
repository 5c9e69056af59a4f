internal import ListModel

/// Operations as scripts print them.
extension Operation {
    var words: String {
        let condition = condition.map { " if \($0.words)" } ?? ""
        return "\(intent.words)\(condition)"
    }
}

extension Operation.Intent {
    fileprivate var words: String {
        switch self {
        case .insert(let id, let place, let fields): "adds \(id) \(place.words) \(fields.words)"
        case .set(let id, let changes): "sets \(id) \(changes.words)"
        case .count(let id, let name, let by): "counts \(id) \(name) \(by.words)"
        case .move(let ids, let place):
            "moves \(ids.map(\.text).joined(separator: " ")) \(place.words)"
        case .delete(let id, let unlessEdited):
            "deletes \(id)\(unlessEdited ? " unless edited" : "")"
        case .restore(let id): "restores \(id)"
        case .describe: "describes the list"
        case .forget(let ids): "forgets \(ids.count)"
        }
    }
}

extension Condition {
    fileprivate var words: String {
        if let fields { return fields.words }
        if let version { return "it is of \(version)" }
        return placed.map { "it was placed by \($0)" } ?? "there"
    }
}

extension Place {
    fileprivate var words: String {
        switch self {
        case .first: "first"
        case .last: "last"
        case .after(let id): "after \(id)"
        case .before(let id): "before \(id)"
        }
    }
}

extension Fields {
    var words: String {
        pairs.map { "\($0.name)=\($0.value.words)" }.joined(separator: " ")
    }
}

extension Value {
    fileprivate var words: String {
        switch self {
        case .null: "null"
        case .text(let text): "\"\(text)\""
        case .int(let number): "\(number)"
        default: "\(self)"
        }
    }
}

extension EditorModel.Told: CustomStringConvertible {
    var description: String {
        switch event {
        case .changed(let new): "changed \(id) \(new.words)"
        case .conflict(let name, let base, let mine, let theirs):
            "conflict \(id) \(name) base \(base.words) mine \(mine.words) theirs \(theirs.words)"
        case .vanished(let cause): "vanished \(id) \(cause)"
        case .returned: "returned \(id)"
        case .hidden: "hidden \(id)"
        case .shown: "shown \(id)"
        }
    }
}
