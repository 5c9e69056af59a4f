package import ListAuthority
internal import ListModel
internal import Storage

/// What the authority asks of its storage, and what comes of it.
extension Archive {
    /// Does a piece of work whole, however long it takes. `nil`: of what failed the authority need
    /// not hear.
    package func perform(_ work: StorageWork) -> Event? {
        switch work {
        case .append(let name, let after, let records):
            let append = Append(records, to: key(name), after: after.number)
            return self.append([append]).first.map { Self.event(of: $0, name) }
        case .load(let name):
            return .loaded(name, Result { () throws(Refusal) in try whole(name) })
        case .history(let name, let id, let before, let limit, let asker, let request):
            var search = HistorySearch(of: id, in: name, before: before, limit: limit)
            let result = Result { while try look(&search) {} }
            return .history(
                name, for: asker, request,
                result.map { search.found }.mapError { Self.unreadableLog($0) })
        case .save(let name, let version, let parts, let through):
            let first = try? save(name, at: version, parts: parts, through: through)
            return .saved(name, at: first == nil ? .zero : version, first: first ?? .zero)
        case .create, .drop, .renew, .read, .readForeign: return step(work) { _ in }
        }
    }

    /// Does what is done in one step.
    func step(_ work: StorageWork, _ report: (StorageError) -> Void) -> Event? {
        do throws(StorageError) {
            switch work {
            case .create(let name, let epoch): return .created(name, create(name, epoch))
            case .drop(let name, let deletion):
                try drop(name, deletion)
                return .dropped(name, nil)
            case .renew(let name, let epoch):
                try renew(name, epoch)
                return .renewed(name, epoch, nil)
            case .read(let name, let after, let bytes, let id):
                let records = try storage.records(
                    of: key(name), after: after.number, maxBytes: bytes)
                return .read(name, for: id, records)
            case .readForeign(let name, let after):
                return .foreign(name, try foreign(name, after: after))
            case .load, .append, .history, .save: return nil
            }
        } catch {
            report(error)
            return Self.event(of: work, failed: error)
        }
    }

    static func event(of result: Result<UInt64, StorageError>, _ name: ListName) -> Event {
        switch result {
        case .success(let head): .appended(name, Version(head))
        case .failure(.conflict): .appendFailed(name, .conflict)
        case .failure(let error): .appendFailed(name, .failed(error.description))
        }
    }

    static func unreadableLog(_ error: any Error) -> Refusal {
        Refusal(.storageFailed, "the log cannot be read: \(error)")
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
}
