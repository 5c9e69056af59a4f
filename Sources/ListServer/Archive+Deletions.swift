package import ListAuthority
internal import ListModel
internal import ListProtocol
package import Storage

/// Lists that are no more, remembered in a log of their own: one JSON record a deletion.
extension Archive {
    /// No list can have this name.
    static let deletions = "~deletions"
    private var deletionsKey: String { tenant.key(Self.deletions) }
    /// Records of that log; beyond it the newer half is kept.
    static let mostDeletions = 10_000

    /// Makes the log, if it is not there, and answers what it holds, oldest first.
    @discardableResult
    package func openDeletions() throws(StorageError) -> [Deletion] {
        guard let log = logs[deletionsKey] else {
            try storage.create(deletionsKey, epoch: "deletions")
            logs[deletionsKey] = Log(epoch: "deletions", first: Version(1), head: .zero)
            return []
        }
        let records = try deletionRecords()
        if records.count > Self.mostDeletions {
            try storage.saveSnapshot(
                records.suffix(Self.mostDeletions / 2), of: deletionsKey, at: log.head.number)
            try storage.trim(deletionsKey, through: log.head.number)
        }
        return records.compactMap(deletion)
    }

    private func deletionRecords() throws(StorageError) -> [[UInt8]] {
        let snapshot = try storage.snapshot(of: deletionsKey)
        var records = snapshot?.parts ?? []
        var version = snapshot?.version ?? 0
        while true {
            let more = try storage.records(
                of: deletionsKey, after: version, maxBytes: Self.stepBytes)
            if more.isEmpty { return records }
            records += more
            version += UInt64(more.count)
        }
    }

    /// Removes a list and remembers who did it, both or neither.
    func drop(_ name: ListName, _ deletion: Deletion) throws(StorageError) {
        do throws(StorageError) {
            try dropNoting(name, deletion)
        } catch .conflict(let head) {
            // The answer to the last one was lost, but it stands in the log.
            logs[deletionsKey]?.head = Version(head)
            try dropNoting(name, deletion)
        }
    }

    private func dropNoting(_ name: ListName, _ deletion: Deletion) throws(StorageError) {
        let head = logs[deletionsKey]?.head ?? .zero
        let note = Append([record(of: deletion)], to: deletionsKey, after: head.number)
        try storage.drop(key(name), noting: note)
        logs[key(name)] = nil
        logs[deletionsKey]?.head = head.next
    }

    private func record(of deletion: Deletion) -> [UInt8] {
        MessageEncoder.encode(
            .object([
                "name": .text(deletion.name.text), "epoch": .text(deletion.epoch.description),
                "by": .text(deletion.by.text), "at": .int(deletion.at.milliseconds),
            ]))
    }

    /// `nil` for a record of a later program, which is of no use here.
    private func deletion(_ record: [UInt8]) -> Deletion? {
        guard case .object(let parts)? = try? decoder.decodeValue(record),
            let name = parts["name"]?.text.flatMap(ListName.init),
            let epoch = parts["epoch"]?.text.flatMap(Epoch.init),
            let by = parts["by"]?.text.flatMap(UserName.init),
            case .int(let at)? = parts["at"]
        else { return nil }
        return Deletion(name: name, epoch: epoch, by: by, at: Timestamp(milliseconds: at))
    }
}
