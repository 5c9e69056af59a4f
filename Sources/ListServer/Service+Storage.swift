internal import ListAuthority
internal import ListModel
internal import ListProtocol
internal import Storage

/// The authority's work for the storage: posted to its thread, and what comes of it brought back.
extension Service {
    func postStorageWork(of realm: Realm) {
        guard let storage = serving?.storage else { return }
        for work in realm.authority.takeStorageWork() { post(work, of: realm, to: storage) }
    }

    private func post(
        _ work: StorageWork, of realm: Realm, to storage: StorageThread<ArchiveWorkload>
    ) {
        jobs += 1
        let tenant = realm.tenant
        switch work {
        case .append(let name, let after, let records):
            let append = Append(records, to: tenant.key(name), after: after.number)
            storage.post(.write(append) { [self] in finish(Archive.event(of: $0, name), tenant) })
        case .load(let name): load(name, of: realm, from: storage)
        case .history(let name, let id, let before, let limit, let asker, let request):
            let search = HistorySearch(of: id, in: name, before: before, limit: limit)
            look(search, of: realm, in: storage) { .history(name, for: asker, request, $0) }
        case .save(let name, let version, let parts, let through):
            storage.post(
                .perform { [self] archive in
                    save(name, at: version, parts, through, in: archive.of(tenant))
                })
        case .create, .drop, .readForeign:
            // What comes of it tells of a failure.
            storage.post(
                .perform { [self] in finish($0.of(tenant).step(work) { _ in }, tenant) })
        case .renew, .read:
            storage.post(
                .perform { [self] in finish($0.of(tenant).step(work, report), tenant) })
        }
    }

    /// Brings an answer from the storage's thread to ours.
    private func finish(_ event: Event?, _ tenant: Tenant) {
        if case .renewed(let name, let epoch, nil) = event {
            log(.warning, "renewed", ["list": name.text, "epoch": epoch.description])
        }
        loop.post { [self] in
            jobs -= 1
            guard let realm = realms[tenant] else { return schedulePump() }
            if let event { handle(event, in: realm) } else { markDue(realm) }
        }
    }

    func report(_ error: StorageError) {
        switch error {
        case .trimmed, .conflict: break
        default:
            loop.post { [self] in
                // An outage that was told is not told of every list again.
                let level: Log.Level = outage == nil ? .error : .debug
                log(level, "storage-failed", ["reason": error.description])
            }
        }
    }
}
