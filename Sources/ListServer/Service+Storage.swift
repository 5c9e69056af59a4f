internal import ListAuthority
internal import ListModel
internal import ListProtocol
internal import Storage

/// The authority's work for the storage: posted to its thread, and what comes of it brought back.
extension Service {
    func postStorageWork() {
        guard let storage = serving?.storage else { return }
        for work in authority.takeStorageWork() { post(work, to: storage) }
    }

    private func post(_ work: StorageWork, to storage: StorageThread<ArchiveWorkload>) {
        jobs += 1
        switch work {
        case .append(let name, let after, let records):
            let append = Append(records, to: name.text, after: after.number)
            storage.post(.write(append) { [self] in finish(Self.event(of: $0, name)) })
        case .load(let name): load(name, from: storage)
        case .history(let name, let id, let before, let limit, let asker, let request):
            let search = HistorySearch(of: id, in: name, before: before, limit: limit)
            look(search, in: storage) { .history(name, for: asker, request, $0) }
        case .save(let name, let version, let parts, let through):
            storage.post(
                .perform { [self] archive in
                    save(name, at: version, parts, through, in: archive)
                })
        case .create, .drop, .renew, .read, .readForeign:
            storage.post(.perform { [self] in finish(self.event(of: work, $0)) })
        }
    }

    /// Brings an answer from the storage's thread to ours.
    private func finish(_ event: Event?) {
        loop.post { [self] in
            jobs -= 1
            if let event { handle(event) } else { schedulePump() }
        }
    }

    private static func event(
        of result: Result<UInt64, StorageError>, _ name: ListName
    ) -> Event {
        switch result {
        case .success(let head): .appended(name, Version(head))
        case .failure(.conflict): .appendFailed(name, .conflict)
        case .failure(let error): .appendFailed(name, .failed(error.description))
        }
    }

    /// Does what is done in one step; on the storage's thread.
    private func event(of work: StorageWork, _ archive: Archive) -> Event? {
        do throws(StorageError) {
            switch work {
            case .create(let name, let epoch): return .created(name, archive.create(name, epoch))
            case .drop(let name, let deletion):
                try archive.drop(name, deletion)
                return .dropped(name, nil)
            case .renew(let name, let epoch):
                try archive.renew(name, epoch)
                log(.warning, "renewed", ["list": name.text, "epoch": epoch.description])
                return .renewed(name, epoch, nil)
            case .read(let name, let after, let bytes, let id):
                let records = try archive.storage.records(
                    of: name.text, after: after.number, maxBytes: bytes)
                return .read(name, for: id, records)
            case .readForeign(let name, let after):
                return .foreign(name, try archive.foreign(name, after: after))
            case .load, .append, .history, .save: return nil
            }
        } catch {
            report(error)
            return Self.event(of: work, failed: error)
        }
    }

    private static func event(of work: StorageWork, failed error: StorageError) -> Event? {
        let sentence = error.description
        switch work {
        case .drop(let name, _):
            return .dropped(name, Refusal(.storageFailed, "the list was not deleted: \(sentence)"))
        case .renew(let name, let epoch):
            return .renewed(name, epoch, Refusal(.storageFailed, "not renewed: \(sentence)"))
        // Then the whole list is sent, from memory.
        case .read(let name, _, _, let id): return .read(name, for: id, nil)
        case .readForeign(let name, _): return .appendFailed(name, .failed(sentence))
        case .create, .load, .append, .history, .save: return nil
        }
    }

    func report(_ error: StorageError) {
        switch error {
        case .trimmed, .conflict: break
        default: log(.error, "storage-failed", ["reason": error.description])
        }
    }
}
