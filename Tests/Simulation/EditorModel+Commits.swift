internal import ListModel
internal import ListReplica

/// What a commit may write.
extension EditorModel.Watched {
    /// What is wrong with the operation that carries the draft; `nil`: nothing.
    func fault(of operation: Operation, _ mode: Editor.Commit.Mode) -> String? {
        guard case .set(_, let changes) = operation.intent else { return "it writes nothing" }
        if changes.names != touched.names { return "it writes \(changes.names)" }
        guard mode != .overwrite else { return nil }
        for pair in changes.pairs {
            let now = shown[pair.name] ?? .null
            guard operation.condition?.fields?[pair.name] ?? .null == now else {
                return "\(pair.name) is not conditional on \(now)"
            }
            let base = base[pair.name] ?? .null
            let mine = touched[pair.name] ?? .null
            guard now != base, now != mine else { continue }
            if mode == .ifUnchanged { return "\(pair.name) was changed by somebody else" }
            let lost = now.words.subtracting(base.words).subtracting(pair.value.words)
            if mine != base, !lost.isEmpty { return "\(pair.name) loses the others' \(lost)" }
        }
        return nil
    }
}

extension Value {
    fileprivate var words: Set<Substring> { Set((text ?? "").split(separator: " ")) }
}
