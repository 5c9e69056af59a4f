internal import ListAuthority
package import ListModel
internal import Storage

/// What happened to one element, as far as a folder's log tells; a server may be running there.
package struct Explanation: Sendable {
    package let list: ListName
    package let tenant: Tenant
    package let id: ElementID
    /// The element or its grave; `unknown` where it was forgotten, or never was.
    package let standing: ListState.Standing
    /// That of the list.
    package let version: Version
    /// The oldest entry that the log still holds.
    package let first: Version
    /// Oldest first.
    package private(set) var steps: [Step] = []

    /// What one entry did to it.
    package struct Step: Sendable {
        package let version: Version
        package let at: Timestamp
        package let by: UserName
        package let client: ClientID
        package let n: MutationNumber
        package let deeds: [Deed]
        /// What the entry's mutation wanted of it, and was not done.
        package let skips: [Skip]
    }

    package enum Deed: Sendable {
        case inserted(after: Anchor, Fields)
        case changed([Change])
        case moved(after: Anchor)
        /// With what it was then, if that is known.
        case deleted(Fields?)
        case restored(Fields)
        /// Nobody can restore it any more.
        case forgotten
    }

    package struct Change: Sendable {
        package let field: FieldName
        /// The value, `.null` where the field was not there; `nil`: not known.
        package let before: Value?
        /// `.null`: the field is gone.
        package let after: Value
    }

    /// - Parameter word: an element's ID, or the beginning of one alone.
    package init(
        of word: String, in list: ListName, _ tenant: Tenant, folder: String
    ) throws(ExplanationFault) {
        do {
            let storage = try SQLiteLogStorage.read(folder: folder)
            defer { storage.close() }
            let archive = try Archive(storage, limits: Limits()).of(tenant)
            guard let log = archive.logs[archive.key(list)] else {
                throw ExplanationFault("there is no list \(tenant.key(list)) in \(folder).")
            }
            let whole = try archive.whole(list)
            self.list = list
            self.tenant = tenant
            id = try Self.named(word, in: whole.state)
            standing = whole.state.standing(of: id)
            version = whole.state.head
            first = log.first
            try follow(archive)
        } catch let fault as ExplanationFault {
            throw fault
        } catch let refusal as Refusal {
            throw ExplanationFault("the list \(list) cannot be read: \(refusal.sentence).")
        } catch {
            throw ExplanationFault("\(error)")
        }
    }

    private static func named(_ word: String, in list: ListState) throws -> ElementID {
        guard let id = ElementID(word) else {
            throw ExplanationFault("an ID is 1-64 printable characters without spaces.")
        }
        if case .unknown = list.standing(of: id) {} else { return id }
        var found: [ElementID] = []
        func look(_ element: Element, _ grave: Grave??) {
            if element.id.text.hasPrefix(word) { found.append(element.id) }
        }
        list.forEach(look)
        guard found.count < 2 else {
            let some = found.prefix(3).map(\.text).joined(separator: ", ")
            throw ExplanationFault("\(found.count) elements begin like this: \(some) …")
        }
        return found.first ?? id
    }

    /// Reads the log from its beginning.
    private mutating func follow(_ archive: Archive) throws {
        var trail = Trail(id)
        let key = archive.key(list)
        let snapshot = try archive.storage.snapshot(of: key)
        if let snapshot, snapshot.version + 1 == first.number, let epoch = archive.epoch(of: list) {
            let before = try ListAuthority.StoredList(
                epoch: epoch, first: first, snapshotVersion: Version(snapshot.version),
                parts: snapshot.parts, decoder: archive.decoder)
            trail.begin(before.state.standing(of: id))
        } else if first.number > 1 {
            trail.isKnown = false
        }
        var after = first.number - 1
        while after < version.number {
            let records = try archive.storage.records(
                of: key, after: after, maxBytes: Archive.stepBytes)
            for record in records {
                let entry = try archive.decoder.decodeEntryRecord(record)
                if let step = trail.step(entry) { steps.append(step) }
            }
            guard !records.isEmpty else { return }
            after += UInt64(records.count)
        }
    }
}

package struct ExplanationFault: Error, CustomStringConvertible {
    package let description: String
    init(_ description: String) { self.description = description }
}

/// The element's fields, entry by entry.
private struct Trail {
    let id: ElementID
    /// Whether `fields` is all that it had; else only what was written since.
    var isKnown = true
    private var fields = Fields()

    init(_ id: ElementID) { self.id = id }

    mutating func begin(_ standing: ListState.Standing) {
        switch standing {
        case .living(let element): fields = element.fields
        case .grave(let grave?): fields = grave.last.fields
        case .grave(nil): isKnown = false
        case .unknown: break
        }
    }

    mutating func step(_ entry: Entry) -> Explanation.Step? {
        let skips = entry.skips.filter { $0.id == id }
        let mine = entry.operations.filter { $0.concerns(id) }
        guard !mine.isEmpty || !skips.isEmpty else { return nil }
        return Explanation.Step(
            version: entry.version, at: entry.at, by: entry.by, client: entry.client, n: entry.n,
            deeds: mine.compactMap { deed($0) }, skips: skips)
    }

    private mutating func deed(_ operation: ResolvedOperation) -> Explanation.Deed? {
        switch operation {
        case .insert(_, let after, let inserted):
            (fields, isKnown) = (inserted, true)
            return .inserted(after: after, inserted)
        case .set(_, let changes): return .changed(change(changes))
        case .count(_, let name, _, let value):
            var changes = Fields()
            changes[name] = value
            return .changed(change(changes))
        case .move(let ids, let after):
            guard let at = ids.firstIndex(of: id), at > 0 else { return .moved(after: after) }
            return .moved(after: .after(ids[at - 1]))
        case .delete: return .deleted(isKnown ? fields : nil)
        case .restore(_, let restored):
            (fields, isKnown) = (restored, true)
            return .restored(restored)
        case .forget: return .forgotten
        case .describe: return nil
        }
    }

    private mutating func change(_ changes: Fields) -> [Explanation.Change] {
        let steps = changes.pairs.map { pair in
            Explanation.Change(
                field: pair.name, before: fields[pair.name] ?? (isKnown ? .null : nil),
                after: pair.value)
        }
        // What was removed is known to be gone, also where others may be there.
        for pair in changes.pairs {
            fields[pair.name] = isKnown && pair.value == .null ? nil : pair.value
        }
        return steps
    }
}
