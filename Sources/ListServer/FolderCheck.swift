internal import ListAuthority
internal import ListModel
internal import ListProtocol
package import Storage

/// What is in a data folder, and what is wrong with it. Changes nothing.
package struct FolderCheck {
    package private(set) var lists = 0
    package private(set) var entries: UInt64 = 0
    /// One sentence each.
    package private(set) var flaws: [String] = []

    private let limits = Limits()
    private let decoder = MessageDecoder(limits: Limits())

    /// Throws where the file as a whole cannot be trusted, or another process has it open.
    ///
    /// Cost: every record is decoded and applied; twice, where a snapshot is compared with the log.
    package init(folder: String) throws(StorageError) {
        let storage = try SQLiteLogStorage.look(inFolder: folder)
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

/// Copies of a data folder, and their way back.
package enum FolderCopy {
    /// Writes what the folder holds at one moment to a file, while a server may be running there.
    package static func backup(_ folder: String, to file: String) throws(StorageError) {
        try DatabaseCopy.write(listsIn: folder, to: file)
    }

    /// Makes a folder of a copy. Every list goes on as another log, so that clients that saw more
    /// of it than the copy holds are told the difference. Answers where the old folder is kept.
    package static func restore(
        _ file: String, to folder: String, replacing: Bool
    ) throws(StorageError) -> String? {
        let word = freshWord()
        return try DatabaseCopy.restore(
            file, to: folder, replacing: replacing, draft: folder + ".restoring-" + word,
            keptAs: folder + ".before-" + word
        ) { storage throws(StorageError) in
            for list in try storage.lists() {
                guard Tenant.list(ofKey: list.name) != nil, let epoch = Epoch(list.epoch) else {
                    continue
                }
                let next = Epoch(list: epoch.list, log: freshWord())
                try storage.setEpoch(next.description, of: list.name)
            }
        }
    }
}
