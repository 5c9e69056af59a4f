package import ListAuthority
package import ListModel
internal import ListProtocol
package import Storage

/// The server's logs as the authority thinks of them: lists, entries and snapshots made of the
/// opaque records of a `LogStorage`. It lives on the storage thread, so that decoding holds nobody
/// up; long work is cut into steps, between which appends have their turn.
package final class Archive {
    let storage: any LogStorage
    let limits: Limits
    let decoder: MessageDecoder
    /// What is known of each stored log, so that no question costs a pass over all of them.
    var logs: [String: Log] = [:]
    /// Lists that are being loaded, as far as they are.
    private var loading: [ListName: ListAuthority.StoredList] = [:]

    struct Log {
        var epoch: String
        var first: Version
        var head: Version
    }

    /// Bytes of records that one step reads: about 10 ms of decoding and applying.
    static let stepBytes = 256 << 10

    /// Takes stock of a storage that was just opened.
    package init(_ storage: any LogStorage, limits: Limits) throws(StorageError) {
        self.storage = storage
        self.limits = limits
        decoder = MessageDecoder(limits: limits)
        for list in try storage.lists() {
            logs[list.name] = Log(
                epoch: list.epoch, first: Version(list.first), head: Version(list.head))
        }
    }

    /// Entries in all lists.
    var entryCount: UInt64 {
        logs.reduce(0) { ListName($1.key) == nil ? $0 : $0 + $1.value.head.number }
    }

    package var names: [StoredName] {
        logs.compactMap { name, log in
            guard let name = ListName(name), let epoch = Epoch(log.epoch) else { return nil }
            return StoredName(name: name, epoch: epoch)
        }
    }

    /// A log that stands there empty although the authority knows of none was left by a creation
    /// whose answer was lost: it gives way.
    func create(_ name: ListName, _ epoch: Epoch) -> Refusal? {
        do throws(StorageError) {
            do throws(StorageError) {
                try storage.create(name.text, epoch: epoch.description)
            } catch .exists {
                guard try isLeftOver(name) else { throw .exists }
                try storage.drop(name.text)
                try storage.create(name.text, epoch: epoch.description)
            }
            logs[name.text] = Log(epoch: epoch.description, first: Version(1), head: .zero)
            return nil
        } catch {
            return Refusal(.storageFailed, "the list was not created; try again: \(error)")
        }
    }

    func renew(_ name: ListName, _ epoch: Epoch) throws(StorageError) {
        try storage.setEpoch(epoch.description, of: name.text)
        logs[name.text]?.epoch = epoch.description
    }

    private func isLeftOver(_ name: ListName) throws(StorageError) -> Bool {
        guard logs[name.text] == nil else { return false }
        return try storage.lists().contains { $0.name == name.text && $0.head == 0 }
    }

    /// Reads the next step of a list; `nil` as long as there is more.
    func load(_ name: ListName) -> Result<ListAuthority.StoredList, Refusal>? {
        do {
            var list = try loading.removeValue(forKey: name) ?? beginLoading(name)
            let records = try storage.records(
                of: name.text, after: list.state.head.number, maxBytes: Self.stepBytes)
            guard !records.isEmpty else { return .success(list) }
            try list.append(records, decoder: decoder)
            loading[name] = list
            return nil
        } catch let refusal as Refusal {
            return .failure(refusal)
        } catch StorageError.failed(let sentence) {
            // The machine's fault, not the file's: the next who asks tries again.
            return .failure(Refusal(.storageFailed, "the list cannot be read now: \(sentence)"))
        } catch {
            return .failure(Self.unreadable(error))
        }
    }

    private func beginLoading(_ name: ListName) throws -> ListAuthority.StoredList {
        guard let log = logs[name.text], let epoch = Epoch(log.epoch) else {
            throw Refusal(.listUnreadable, "the storage has lost the list \(name)")
        }
        let snapshot = try storage.snapshot(of: name.text)
        return try ListAuthority.StoredList(
            epoch: epoch, first: log.first,
            snapshotVersion: Version(snapshot?.version ?? 0), parts: snapshot?.parts ?? [],
            decoder: decoder)
    }

    private static func unreadable(_ error: any Error) -> Refusal {
        Refusal(
            .listUnreadable, "the list is left as it is on disk, and not served: \(error)")
    }

    /// Appends for several lists, behind one flush.
    func append(_ batch: [Append]) -> [Result<UInt64, StorageError>] {
        let results = storage.appendBatch(batch)
        for (append, result) in zip(batch, results) {
            switch result {
            case .success(let head), .failure(.conflict(let head)):
                logs[append.name]?.head = Version(head)
            case .failure: break
            }
        }
        return results
    }

    /// All records behind a version.
    func foreign(_ name: ListName, after version: Version) throws(StorageError) -> [[UInt8]] {
        var found: [[UInt8]] = []
        while true {
            let after = version.advanced(by: found.count)
            let records = try storage.records(
                of: name.text, after: after.number, maxBytes: Self.stepBytes)
            if records.isEmpty { return found }
            found += records
        }
    }

    /// Stores a snapshot, then lets go of the log up to `through`; answers the oldest entry left.
    func save(
        _ name: ListName, at version: Version, parts: [[UInt8]], through: Version?
    ) throws(StorageError) -> Version {
        try storage.saveSnapshot(parts, of: name.text, at: version.number)
        guard let through else { return logs[name.text]?.first ?? .zero }
        try storage.trim(name.text, through: through.number)
        let first = max(logs[name.text]?.first ?? .zero, through.next)
        logs[name.text]?.first = first
        return first
    }
}

/// Ties the archive to its thread; appends that wait together share one flush.
enum ArchiveWorkload: Workload {
    static func write(
        _ batch: [Append], to archive: Archive
    ) -> [Result<UInt64, StorageError>] {
        archive.append(batch)
    }

    static func close(_ archive: Archive) { archive.storage.close() }
}
