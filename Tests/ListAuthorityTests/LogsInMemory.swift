import ListAuthority
import ListModel
import ListProtocol

/// The storage as the authority sees it: it obeys, fails, conflicts, loses its answers, or waits.
struct LogsInMemory {
    struct Log {
        var epoch: Epoch
        var records: [[UInt8]] = []
        var first = Version(1)
        var snapshot: (version: Version, parts: [[UInt8]])?
        var head: Version { Version(first.number + UInt64(records.count) - 1) }
    }

    enum Fault {
        case fail
        /// Somebody else appends this first.
        case conflict(Entry)
        /// It is done, and the answer is a conflict.
        case loseAnswer
    }

    var logs: [ListName: Log] = [:]
    var deletions: [ListName: Deletion] = [:]
    /// What becomes of the next appends, one each; then all is well.
    var faults: [Fault] = []
    /// The refusal of the next load, creation or removal.
    var refusal: Refusal?
    private(set) var appends = 0
    private(set) var loads = 0
    private(set) var reads = 0

    mutating func perform(_ work: StorageWork) -> Event {
        switch work {
        case .create(let name, let epoch):
            if let refusal = takeRefusal() { return .created(name, refusal) }
            logs[name] = Log(epoch: epoch)
            return .created(name, nil)
        case .load(let name):
            loads += 1
            return .loaded(name, load(name))
        case .drop(let name, let deletion):
            if let refusal = takeRefusal() { return .dropped(name, refusal) }
            logs[name] = nil
            deletions[name] = deletion
            return .dropped(name, nil)
        case .renew(let name, let epoch):
            if let refusal = takeRefusal() { return .renewed(name, epoch, refusal) }
            logs[name]?.epoch = epoch
            return .renewed(name, epoch, nil)
        case .append(let name, let after, let records):
            return append(records, to: name, after: after)
        case .readForeign(let name, let after):
            return .foreign(name, records(of: name, after: after) ?? [])
        case .read(let name, let after, let bytes, let id):
            reads += 1
            return .read(name, for: id, records(of: name, after: after, bytes: bytes))
        case .history(let name, let element, let before, let limit, let id, let request):
            let entries = history(of: name, element, before, limit)
            return .history(name, for: id, request, .success(entries))
        case .save(let name, let version, let parts, let through):
            return save(name, version, parts, through)
        }
    }

    private mutating func takeRefusal() -> Refusal? {
        defer { refusal = nil }
        return refusal
    }

    private mutating func append(_ records: [[UInt8]], to name: ListName, after: Version) -> Event {
        appends += 1
        guard let log = logs[name] else { return .appendFailed(name, .failed("no such list")) }
        let fault = faults.isEmpty ? nil : faults.removeFirst()
        if case .fail = fault { return .appendFailed(name, .failed("the disk is full")) }
        if case .conflict(let entry) = fault { write([encode(entry, at: log.head.next)], to: name) }
        guard logs[name]?.head == after else { return .appendFailed(name, .conflict) }
        write(records, to: name)
        if case .loseAnswer = fault { return .appendFailed(name, .conflict) }
        return .appended(name, after.advanced(by: records.count))
    }

    private func encode(_ entry: Entry, at version: Version) -> [UInt8] {
        var entry = entry
        entry.version = version
        return MessageEncoder.encodeEntryRecord(entry)
    }

    mutating func write(_ records: [[UInt8]], to name: ListName) {
        logs[name]?.records += records
    }

    private func records(of name: ListName, after: Version, bytes: Int = .max) -> [[UInt8]]? {
        guard let log = logs[name], after.next >= log.first else { return nil }
        var left = bytes
        let rest = log.records.dropFirst(Int(after.number + 1 - log.first.number))
        return rest.enumerated().filter { index, record in
            left -= record.count
            return index == 0 || left >= 0
        }.map(\.element)
    }

    private func history(
        of name: ListName, _ element: ElementID?, _ before: Version?, _ limit: Int
    ) -> [Entry] {
        let newest = entries(of: name).reversed().filter { entry in
            entry.version < before ?? Version(.max)
        }
        return Array(newest.prefix(limit))
    }

    func entries(of name: ListName) -> [Entry] {
        let decoder = MessageDecoder(limits: Limits())
        return (logs[name]?.records ?? []).compactMap { try? decoder.decodeEntryRecord($0) }
    }

    private mutating func save(
        _ name: ListName, _ version: Version, _ parts: [[UInt8]], _ through: Version?
    ) -> Event {
        logs[name]?.snapshot = (version, parts)
        if let through, let first = logs[name]?.first, through >= first {
            logs[name]?.records.removeFirst(Int(through.number - first.number + 1))
            logs[name]?.first = through.next
        }
        return .saved(name, at: version, first: logs[name]?.first ?? Version(1))
    }

    /// As the server does it: the snapshot, then the records behind it.
    mutating func load(_ name: ListName) -> Result<StoredList, Refusal> {
        if let refusal = takeRefusal() { return .failure(refusal) }
        guard let log = logs[name] else { return .failure(Refusal(.noSuchList, "no such list")) }
        let decoder = MessageDecoder(limits: Limits())
        return Result { () throws(Refusal) in
            var list = try StoredList(
                epoch: log.epoch, first: log.first,
                snapshotVersion: log.snapshot?.version ?? .zero,
                parts: log.snapshot?.parts ?? [], decoder: decoder)
            let after = log.snapshot?.version ?? .zero
            try list.append(records(of: name, after: after) ?? [], decoder: decoder)
            return list
        }
    }
}
