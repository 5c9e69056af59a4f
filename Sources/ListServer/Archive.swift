package import ListAuthority
package import ListModel
internal import ListProtocol
package import Storage
internal import Threads

/// The server's logs as the authority thinks of them: lists, entries and snapshots made of the
/// opaque records of a `LogStorage`. It lives on the storage thread, so that decoding holds nobody
/// up; long work is cut into steps, between which appends have their turn.
package final class Archive {
    let storage: any LogStorage
    let limits: Limits
    let decoder: MessageDecoder
    /// Whose lists these are.
    let tenant: Tenant
    private let shelf: Shelf
    /// Lists that are being loaded, as far as they are.
    private var loading: [ListName: ListAuthority.StoredList] = [:]

    struct Log {
        var epoch: String
        var first: Version
        var head: Version
    }

    /// What all tenants share.
    private final class Shelf {
        /// What is known of each stored log, so that no question costs a pass over all of them.
        var logs: [String: Log] = [:]
        var archives: [Tenant: Archive] = [:]
        let figures = Locked(StorageFigures())
    }

    /// Any thread may look at them.
    var figures: Locked<StorageFigures> { shelf.figures }

    /// By the storage's names.
    var logs: [String: Log] {
        get { shelf.logs }
        _modify { yield &shelf.logs }
    }

    /// Bytes of records that one step reads: about 10 ms of decoding and applying.
    static let stepBytes = 256 << 10

    /// Takes stock of a storage that was just opened.
    package init(_ storage: any LogStorage, limits: Limits) throws(StorageError) {
        self.storage = storage
        self.limits = limits
        decoder = MessageDecoder(limits: limits)
        tenant = .unnamed
        shelf = Shelf()
        for list in try storage.lists() {
            logs[list.name] = Log(
                epoch: list.epoch, first: Version(list.first), head: Version(list.head))
        }
    }

    /// That of a tenant, over the same storage.
    private init(_ tenant: Tenant, beside other: Archive) {
        storage = other.storage
        limits = other.limits
        decoder = other.decoder
        self.tenant = tenant
        shelf = other.shelf
    }

    /// The lists of a tenant. Asked of the one for no tenant.
    func of(_ tenant: Tenant) -> Archive {
        if tenant == self.tenant { return self }
        if let archive = shelf.archives[tenant] { return archive }
        let archive = Archive(tenant, beside: self)
        shelf.archives[tenant] = archive
        return archive
    }

    /// Lets go of the storage, and of all tenants' archives with it.
    fileprivate func close() {
        shelf.archives = [:]
        storage.close()
    }

    func key(_ name: ListName) -> String { tenant.key(name) }

    /// Entries in all lists of all tenants.
    var entryCount: UInt64 {
        logs.reduce(0) { Tenant.list(ofKey: $1.key) == nil ? $0 : $0 + $1.value.head.number }
    }

    func epoch(of name: ListName) -> Epoch? { logs[key(name)].flatMap { Epoch($0.epoch) } }

    /// All lists of all tenants, in the order of the storage's names.
    var allNames: [(tenant: Tenant, name: ListName)] {
        logs.keys.sorted().compactMap { Tenant.list(ofKey: $0) }
    }

    package var names: [StoredName] {
        logs.compactMap { key, log in
            guard let list = Tenant.list(ofKey: key), list.tenant == tenant,
                let epoch = Epoch(log.epoch)
            else { return nil }
            return StoredName(name: list.name, epoch: epoch)
        }
    }

    /// A log that stands there empty although the authority knows of none was left by a creation
    /// whose answer was lost: it gives way.
    func create(_ name: ListName, _ epoch: Epoch) -> Refusal? {
        do throws(StorageError) {
            do throws(StorageError) {
                try storage.create(key(name), epoch: epoch.description)
            } catch .exists {
                guard try isLeftOver(name) else { throw .exists }
                try storage.drop(key(name))
                try storage.create(key(name), epoch: epoch.description)
            }
            logs[key(name)] = Log(epoch: epoch.description, first: Version(1), head: .zero)
            return nil
        } catch {
            return Refusal(.storageFailed, "the list was not created; try again: \(error)")
        }
    }

    func renew(_ name: ListName, _ epoch: Epoch) throws(StorageError) {
        try storage.setEpoch(epoch.description, of: key(name))
        logs[key(name)]?.epoch = epoch.description
    }

    private func isLeftOver(_ name: ListName) throws(StorageError) -> Bool {
        guard logs[key(name)] == nil else { return false }
        return try storage.lists().contains { $0.name == key(name) && $0.head == 0 }
    }

    /// Reads the next step of a list; `nil` as long as there is more.
    func load(_ name: ListName) -> Result<ListAuthority.StoredList, Refusal>? {
        do {
            var list = try loading.removeValue(forKey: name) ?? beginLoading(name)
            let records = try storage.records(
                of: key(name), after: list.state.head.number, maxBytes: Self.stepBytes)
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

    /// Reads a list whole.
    func whole(_ name: ListName) throws(Refusal) -> ListAuthority.StoredList {
        while true { if let loaded = load(name) { return try loaded.get() } }
    }

    private func beginLoading(_ name: ListName) throws -> ListAuthority.StoredList {
        guard let log = logs[key(name)], let epoch = epoch(of: name) else {
            throw Refusal(.listUnreadable, "the storage has lost the list \(name)")
        }
        let snapshot = try storage.snapshot(of: key(name))
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
        let start = steadySeconds()
        let results = storage.appendBatch(batch)
        count(batch, results, seconds: steadySeconds() - start)
        for (append, result) in zip(batch, results) {
            switch result {
            case .success(let head), .failure(.conflict(let head)):
                logs[append.name]?.head = Version(head)
            case .failure: break
            }
        }
        return results
    }

    private func count(
        _ batch: [Append], _ results: [Result<UInt64, StorageError>], seconds: Double
    ) {
        figures.withLock { figures in
            figures.appendSeconds.add(seconds)
            for (append, result) in zip(batch, results) {
                if case .success = result {
                    figures.entries += UInt64(append.records.count)
                } else {
                    figures.failures += 1
                }
            }
        }
    }

    /// All records behind a version.
    func foreign(_ name: ListName, after version: Version) throws(StorageError) -> [[UInt8]] {
        var found: [[UInt8]] = []
        while true {
            let after = version.advanced(by: found.count)
            let records = try storage.records(
                of: key(name), after: after.number, maxBytes: Self.stepBytes)
            if records.isEmpty { return found }
            found += records
        }
    }

    /// Stores a snapshot, then lets go of the log up to `through`; answers the oldest entry left.
    func save(
        _ name: ListName, at version: Version, parts: [[UInt8]], through: Version?
    ) throws(StorageError) -> Version {
        try storage.saveSnapshot(parts, of: key(name), at: version.number)
        guard let through else { return logs[key(name)]?.first ?? .zero }
        try storage.trim(key(name), through: through.number)
        let first = max(logs[key(name)]?.first ?? .zero, through.next)
        logs[key(name)]?.first = first
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

    static func close(_ archive: Archive) { archive.close() }
}
