internal import ListAuthority
package import ListModel
internal import ListProtocol
package import Storage

/// What is in a data folder, and what is wrong with it. Changes nothing.
package struct FolderCheck {
    package private(set) var lists = 0
    package private(set) var entries: UInt64 = 0
    /// Of the database, since it was made.
    package private(set) var formatChanges: [(from: Int, to: Int, at: Timestamp)] = []
    /// One sentence each.
    package private(set) var flaws: [String] = []

    private let limits = Limits()
    private let decoder = MessageDecoder(limits: Limits())

    /// Throws where the file as a whole cannot be trusted, or another process has it open.
    ///
    /// Cost: every record is decoded and applied; twice, where a snapshot is compared with the log.
    package init(folder: String) throws(StorageError) {
        try self.init(file: folder + "/samelist.db")
    }

    /// The same of a file that may have any name.
    init(file: String) throws(StorageError) {
        let storage = try SQLiteLogStorage.look(atFile: file)
        defer { storage.close() }
        for list in try storage.lists().sorted(by: { $0.name < $1.name }) {
            do {
                guard Tenant.list(ofKey: list.name) != nil else {
                    try checkOther(list, storage)
                    continue
                }
                lists += 1
                try check(list, storage)
                entries += list.head + 1 - list.first
            } catch let refusal as Refusal {
                flaws.append("list \(list.name): \(refusal.sentence)")
            } catch {
                flaws.append("list \(list.name): \(error)")
            }
        }
        formatChanges = try storage.formatChanges().map {
            ($0.from, $0.to, Timestamp(milliseconds: $0.at * 1_000))
        }
        let strays = try storage.strays()
        if strays.records > 0 { flaws.append("\(strays.records) records belong to no log") }
        if strays.parts > 0 { flaws.append("\(strays.parts) parts belong to no snapshot") }
    }

    /// The log of deleted lists, which is no list.
    private mutating func checkOther(
        _ list: Storage.StoredList, _ storage: SQLiteLogStorage
    ) throws {
        let (tenant, log) = Tenant.parts(ofKey: list.name)
        guard tenant != nil, log == Archive.deletions else {
            return flaws.append("no list can have the name \(list.name)")
        }
        let snapshot = try storage.snapshot(of: list.name)
        for record in snapshot?.parts ?? [] { _ = try decoder.decodeValue(record) }
        var version = snapshot?.version ?? 0
        while version < list.head {
            let records = try storage.records(
                of: list.name, after: version, maxBytes: Archive.stepBytes)
            for record in records { _ = try decoder.decodeValue(record) }
            version += UInt64(records.count)
        }
    }

    private mutating func check(
        _ list: Storage.StoredList, _ storage: SQLiteLogStorage
    ) throws {
        guard let epoch = Epoch(list.epoch) else {
            return flaws.append("list \(list.name): its epoch \(list.epoch) cannot be read")
        }
        let snapshot = try storage.snapshot(of: list.name)
        var whole = try ListAuthority.StoredList(
            epoch: epoch, first: Version(list.first),
            snapshotVersion: Version(snapshot?.version ?? 0), parts: snapshot?.parts ?? [],
            decoder: decoder)
        if snapshot != nil, list.first == 1 {
            var replay = try ListAuthority.StoredList(
                epoch: epoch, first: Version(1), snapshotVersion: .zero, parts: [],
                decoder: decoder)
            try extend(&replay, list.name, to: whole.state.head, storage)
            if let flaw = whole.flaw(against: replay, limits: limits) {
                flaws.append("list \(list.name): \(flaw)")
            }
        }
        try extend(&whole, list.name, to: Version(list.head), storage)
        if whole.state.head != Version(list.head) {
            flaws.append("list \(list.name): it ends at \(whole.state.head), not at \(list.head)")
        }
    }

    /// Reads on up to a version.
    private func extend(
        _ stored: inout ListAuthority.StoredList, _ name: String, to head: Version,
        _ storage: SQLiteLogStorage
    ) throws {
        while stored.state.head < head {
            let records = try storage.records(
                of: name, after: stored.state.head.number, maxBytes: Archive.stepBytes)
            if records.isEmpty { return }
            let missing = Int(head.number - stored.state.head.number)
            try stored.append(Array(records.prefix(missing)), decoder: decoder)
        }
    }
}
