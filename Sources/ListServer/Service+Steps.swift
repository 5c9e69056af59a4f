internal import ListAuthority
internal import ListModel
internal import Storage

/// Work for the storage that takes long: done in steps, each a job, so that appends of other lists
/// have their turn between them.
extension Service {
    func load(_ name: ListName, from storage: StorageThread<ArchiveWorkload>) {
        storage.post(
            .perform { [self] archive in
                let loaded = archive.load(name)
                loop.post { [self] in
                    guard let loaded else { return load(name, from: storage) }
                    jobs -= 1
                    told(name, loaded)
                    handle(.loaded(name, loaded))
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
        _ search: HistorySearch, in storage: StorageThread<ArchiveWorkload>,
        _ event: @escaping @Sendable (Result<[Entry], Refusal>) -> Event
    ) {
        storage.post(
            .perform { [self] archive in
                var search = search
                let result: Result<Bool, Refusal>
                do {
                    result = .success(try archive.look(&search))
                } catch {
                    result = .failure(Archive.unreadableLog(error))
                }
                loop.post { [self, search] in
                    if case .success(true) = result { return look(search, in: storage, event) }
                    jobs -= 1
                    handle(event(result.map { _ in search.found }))
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
            loop.post { [self] in
                jobs -= 1
                handle(.saved(name, at: version, first: first))
            }
        } catch {
            report(error)
            loop.post { [self] in
                jobs -= 1
                loop.after(milliseconds: Self.savePause) { [self] in
                    handle(.saved(name, at: .zero, first: .zero))
                }
            }
        }
    }

    private static let savePause: UInt64 = 30_000
}
