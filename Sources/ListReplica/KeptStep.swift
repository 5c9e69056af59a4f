package import ListModel
internal import ListProtocol

/// A step of undo as it is kept for a later program of the same user: what would take one's own
/// work back, and how its elements stood before. Its versions are those of one log.
package struct KeptStep: Equatable, Sendable {
    /// Whether it takes back what was taken back.
    package let isRedo: Bool
    package let epoch: Epoch
    package var operations: [Operation]
    fileprivate var before: Marks
}

extension KeptStep {
    /// `WHICH EPOCH ID CONTENT PLACE …`, a tab, and the operations as a mutation's record. No part
    /// of it holds a line break.
    package func encoded(by client: ClientID) -> [UInt8] {
        let marks = before.all.sorted { $0.id < $1.id }.map { id, mark in
            " \(id) \(mark.content.number) \(mark.place?.description ?? "-")"
        }
        let head = (isRedo ? "redo " : "undo ") + epoch.description + marks.joined() + "\t"
        let mutation = Mutation(client: client, n: MutationNumber(1), operations: operations)
        return Array(head.utf8) + MessageEncoder.encodeMutationRecord(mutation)
    }

    /// `nil`: that is no step.
    package init?(encoded bytes: [UInt8]) {
        guard let tab = bytes.firstIndex(of: UInt8(ascii: "\t")) else { return nil }
        let words = String(decoding: bytes[..<tab], as: UTF8.self).split(separator: " ")
        guard words.count >= 2, words.count % 3 == 2, let epoch = Epoch(String(words[1])),
            words[0] == "redo" || words[0] == "undo",
            let mutation = try? MessageDecoder(limits: Limits())
                .decodeMutationRecord(Array(bytes[(tab + 1)...]))
        else { return nil }
        before = Marks()
        for index in stride(from: 2, to: words.count, by: 3) {
            guard let id = ElementID(String(words[index])), let content = UInt64(words[index + 1]),
                words[index + 2] == "-" || UInt64(words[index + 2]) != nil
            else { return nil }
            before[id] = UndoStack.Mark(
                content: Version(content), place: UInt64(words[index + 2]).map(Version.init))
        }
        isRedo = words[0] == "redo"
        self.epoch = epoch
        operations = mutation.operations
    }

    /// Steps done one after another as one, which takes the last of them back first; `nil`: there
    /// is none.
    package init?(joining steps: [KeptStep]) {
        guard var joined = steps.last else { return nil }
        for step in steps.dropLast().reversed() {
            joined.operations += step.operations
            for (id, mark) in step.before.all { joined.before[id] = mark }
        }
        self = joined
    }
}

extension Replica {
    /// The steps that can be kept, the oldest first: those whose work was logged.
    package var keptSteps: [KeptStep] {
        guard let epoch else { return [] }
        func kept(_ steps: [UndoStack.Step], _ isRedo: Bool) -> [KeptStep] {
            steps.compactMap { step in
                guard let inverse = step.inverse, !inverse.isEmpty else { return nil }
                return KeptStep(
                    isRedo: isRedo, epoch: epoch, operations: inverse, before: step.before)
            }
        }
        return kept(undoStack.undoable, false) + kept(undoStack.redoable, true)
    }

    /// Takes up steps of earlier programs as if they were its own; those of another log mean
    /// nothing here. To be called once, while the list is live and before any work. What they
    /// restore must be asked about first (`fates`), since a snapshot tells of graves only the
    /// place.
    package func recall(_ steps: [KeptStep]) {
        for step in steps where step.epoch == epoch {
            undoStack.recall(
                UndoStack.Step(n: .zero, inverse: step.operations, before: step.before),
                isRedo: step.isRedo)
        }
    }

    /// Fills in graves of which only the place was known.
    func learn(_ fates: [Fate]) {
        guard case .live = sync else { return }
        speculation.rebase(
            { self.context(of: $0) }, dropping: { _ in false },
            { state in
                for case .deleted(let grave) in fates where grave.version <= state.head {
                    state.learn(grave)
                }
            })
        playedAgain()
    }
}
