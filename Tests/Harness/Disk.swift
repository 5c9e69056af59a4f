package import ListAuthority
package import ListModel
package import ListProtocol

/// The server's logs in memory: what of them survives its process.
package final class Disk {
    package struct Log {
        package internal(set) var epoch: Epoch
        /// Version of the oldest record.
        package internal(set) var first = Version(1)
        package internal(set) var records: [[UInt8]] = []
        var snapshot: (version: Version, parts: [[UInt8]])?

        package var head: Version { Version(first.number + UInt64(records.count) - 1) }

        func records(after version: Version) -> ArraySlice<[UInt8]>? {
            guard version.next >= first else { return nil }
            return records.dropFirst(Int(version.number + 1 - first.number))
        }
    }

    package private(set) var logs: [ListName: Log] = [:]
    package private(set) var deletions: [Deletion] = []
    /// Every entry that was ever logged, though it be trimmed by now.
    package private(set) var everything: [ListName: [Entry]] = [:]

    /// Called with every entry that is logged, as it is.
    package var onEntry: (ListName, Epoch, Entry) -> Void = { _, _, _ in }

    package init() {}

    package var names: [StoredName] {
        logs.map { StoredName(name: $0.key, epoch: $0.value.epoch) }.sorted { $0.name < $1.name }
    }

    /// A copy of a list, to be put back later.
    package func backup(_ name: ListName) -> Log? { logs[name] }

    /// Puts a copy back: the same list, at another epoch. The server must not run.
    package func restore(_ log: Log, as name: ListName, _ word: String) {
        var log = log
        log.epoch = Epoch(list: log.epoch.list, log: word)
        logs[name] = log
    }

    /// Takes a list away, with nobody having deleted it. The server must not run.
    package func lose(_ name: ListName) { logs[name] = nil }

    /// Every entry that is still there, oldest first.
    package func entries(of name: ListName) -> [Entry] {
        let decoder = MessageDecoder(limits: Limits())
        return logs[name]?.records.compactMap { try? decoder.decodeEntryRecord($0) } ?? []
    }

    /// The list as it would be loaded.
    package func list(_ name: ListName) -> ListState? {
        guard logs[name] != nil else { return nil }
        return try? load(name, MessageDecoder(limits: Limits())).get().state
    }

    package func perform(_ work: StorageWork, _ decoder: MessageDecoder) -> Event {
        switch work {
        case .create(let name, let epoch):
            logs[name] = Log(epoch: epoch)
            everything[name] = nil
            return .created(name, nil)
        case .load(let name): return .loaded(name, load(name, decoder))
        case .drop(let name, let deletion):
            logs[name] = nil
            deletions.removeAll { $0.name == name }
            deletions.append(deletion)
            return .dropped(name, nil)
        case .renew(let name, let epoch):
            logs[name]?.epoch = epoch
            return .renewed(name, epoch, nil)
        case .append(let name, let after, let records):
            guard logs[name]?.head == after else { return .appendFailed(name, .conflict) }
            logs[name]?.records += records
            let entries = records.compactMap { try? decoder.decodeEntryRecord($0) }
            everything[name, default: []] += entries
            if let epoch = logs[name]?.epoch {
                for entry in entries { onEntry(name, epoch, entry) }
            }
            return .appended(name, after.advanced(by: records.count))
        case .readForeign(let name, let after):
            return .foreign(name, Array(logs[name]?.records(after: after) ?? []))
        case .read(let name, let after, let bytes, let id):
            return .read(name, for: id, records(of: name, after: after, bytes: bytes))
        case .history(let name, let id, let before, let limit, let asker, let request):
            let entries = history(of: name, id, before, limit)
            return .history(name, for: asker, request, .success(entries))
        case .save(let name, let version, let parts, let through):
            return save(name, version, parts, through)
        }
    }

    private func load(_ name: ListName, _ decoder: MessageDecoder) -> Result<StoredList, Refusal> {
        guard let log = logs[name] else {
            return .failure(Refusal(.listUnreadable, "the disk has lost \(name)"))
        }
        do throws(Refusal) {
            var list = try StoredList(
                epoch: log.epoch, first: log.first, snapshotVersion: log.snapshot?.version ?? .zero,
                parts: log.snapshot?.parts ?? [], decoder: decoder)
            try list.append(Array(log.records(after: list.state.head) ?? []), decoder: decoder)
            return .success(list)
        } catch {
            return .failure(error)
        }
    }

    private func records(of name: ListName, after: Version, bytes: Int) -> [[UInt8]]? {
        guard let records = logs[name]?.records(after: after) else { return nil }
        var left = bytes
        return Array(
            records.enumerated().prefix { index, record in
                left -= record.count
                return index == 0 || left >= 0
            }.map(\.element))
    }

    private func history(
        of name: ListName, _ id: ElementID?, _ before: Version?, _ limit: Int
    ) -> [Entry] {
        let newest = entries(of: name).reversed().filter { entry in
            let isOlder = before.map { entry.version < $0 } ?? true
            return isOlder && (id.map(entry.concerns) ?? true)
        }
        return Array(newest.prefix(limit))
    }

    private func save(
        _ name: ListName, _ version: Version, _ parts: [[UInt8]], _ through: Version?
    ) -> Event {
        guard var log = logs[name] else { return .saved(name, at: .zero, first: .zero) }
        log.snapshot = (version, parts)
        if let through, through >= log.first {
            log.records.removeFirst(Int(through.number + 1 - log.first.number))
            log.first = through.next
        }
        logs[name] = log
        return .saved(name, at: version, first: log.first)
    }
}

extension Entry {
    fileprivate func concerns(_ element: ElementID) -> Bool {
        operations.contains { operation in
            switch operation {
            case .insert(let id, _, _), .set(let id, _), .count(let id, _, _, _), .delete(let id),
                .restore(let id, _):
                id == element
            case .move(let ids, _), .forget(let ids): ids.contains(element)
            case .describe: false
            }
        }
    }
}
