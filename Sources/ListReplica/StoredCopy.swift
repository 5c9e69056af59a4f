package import ListModel
internal import ListProtocol

/// The confirmed list as a client keeps it, without its work and its drafts: another client of the
/// same user, which has no copy, can begin with it.
package struct StoredCopy: Sendable {
    /// What the copy has applied.
    package let version: Version
    private let state: [String: [UInt8]]

    /// - Parameter state: all that a client keeps of the list, or more. `nil`: there is no copy.
    package init?(of name: ListName, in state: [String: [UInt8]]) {
        let contents = StateKeys.contents(of: name)
        let position = StateKeys.position(of: name)
        self.state = state.filter { $0.key.hasPrefix(contents) || $0.key == position }
        let entries = StateKeys.entries(of: name)
        let last = self.state.keys.filter { $0.hasPrefix(entries) }.max()
        if let last, let number = UInt64(last.dropFirst(entries.count)) {
            version = Version(number)
        } else {
            guard let bytes = state[StateKeys.part(0, of: name)],
                let part = try? MessageDecoder(limits: Limits()).decodeSnapshotRecord(bytes)
            else { return nil }
            version = part.position.version
        }
    }

    /// The list itself; `nil` where it cannot be read.
    fileprivate func replica(like other: Replica) -> Replica? {
        let replica = Replica(
            name: other.name, client: other.client, user: other.user, limits: other.limits)
        let decoder = MessageDecoder(limits: other.limits)
        do {
            try replica.load(state, decoder: decoder)
        } catch {
            return nil
        }
        return replica.epoch == nil ? nil : replica
    }
}

extension Replica {
    /// Takes up another client's copy where there is none here; what cannot be read is no copy.
    func begin(with lent: StoredCopy) {
        guard keepsCopy, epoch == nil, unresolved.isEmpty, editors.isEmpty,
            let other = lent.replica(like: self)
        else { return }
        epoch = other.epoch
        speculation = other.speculation
        lastEntryAt = other.lastEntryAt
        storeSnapshot()
        storePosition()
    }
}
