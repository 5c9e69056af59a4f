internal import ListAuthority
internal import ListModel
internal import Storage

/// Work for the storage that takes long: done in steps, each a job, so that appends of other lists
/// have their turn between them.
extension Service {
    func load(
        _ name: ListName, of realm: Realm, from storage: StorageThread<ArchiveWorkload>
    ) {
        let tenant = realm.tenant
        storage.post(
            .perform { [self] archive in
                let loaded = archive.of(tenant).load(name)
                loop.post { [self] in
                    guard let loaded else { return load(name, of: realm, from: storage) }
                    jobs -= 1
                    told(name, loaded)
                    handle(.loaded(name, loaded), in: realm)
                }
            })
    }

    private func told(_ name: ListName, _ loaded: Result<ListAuthority.StoredList, Refusal>) {
        switch loaded {
        case .success(let list):
            log(.debug, "loaded", ["list": name.text, "version": "\(list.state.head)"])
        case .failure(let refusal):
            log(.error, "unreadable", ["list": name.text, "reason": refusal.sentence])
        }
    }

    func look(
        _ search: HistorySearch, of realm: Realm, in storage: StorageThread<ArchiveWorkload>,
        _ event: @escaping @Sendable (Result<[Entry], Refusal>) -> Event
    ) {
        let tenant = realm.tenant
        storage.post(
            .perform { [self] archive in
                var search = search
                let result: Result<Bool, Refusal>
                do {
                    result = .success(try archive.of(tenant).look(&search))
                } catch {
                    result = .failure(Archive.unreadableLog(error))
                }
                loop.post { [self, search] in
                    if case .success(true) = result {
                        return look(search, of: realm, in: storage, event)
                    }
                    jobs -= 1
                    handle(event(result.map { _ in search.found }), in: realm)
                }
            })
    }

    /// A snapshot that cannot be stored is no loss; it is tried again, but not at once.
    func save(
        _ name: ListName, at version: Version, _ parts: [[UInt8]], _ through: Version?,
        in archive: Archive
    ) {
        do throws(StorageError) {
            let first = try archive.save(name, at: version, parts: parts, through: through)
            saved(name, version, first, archive.tenant, after: 0)
        } catch {
            report(error)
            saved(name, .zero, .zero, archive.tenant, after: Self.savePause)
        }
    }

    private func saved(
        _ name: ListName, _ version: Version, _ first: Version, _ tenant: Tenant,
        after pause: UInt64
    ) {
        loop.post { [self] in
            jobs -= 1
            let tell = { [self] in
                guard let realm = realms[tenant] else { return }
                handle(.saved(name, at: version, first: first), in: realm)
            }
            if pause == 0 { tell() } else { loop.after(milliseconds: pause, tell) }
        }
    }

    private static let savePause: UInt64 = 30_000
}
