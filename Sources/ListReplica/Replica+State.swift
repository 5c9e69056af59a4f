internal import ListModel
internal import ListProtocol

/// What survives the program: the confirmed list with its position, the work whose outcome was not
/// heard, and the editors that have a draft. The position is never written without what it stands
/// for.
extension Replica {
    func store(_ entries: [Entry]) {
        guard keepsCopy else { return }
        storedEntries += entries.count
        if storedEntries > max(1_000, list.count) { return storeSnapshot() }
        let kept =
            Faults.has(.cursorBeforeData) && entries.count > 1 ? entries.dropFirst() : entries[...]
        for entry in kept {
            writes.append(
                .put(keys.entry(entry.version), MessageEncoder.encodeEntryRecord(entry)))
        }
    }

    /// The whole confirmed list instead of everything stored of it before.
    func storeSnapshot() {
        guard keepsCopy, let epoch else { return }
        storedEntries = 0
        writes.append(.removePrefix(StateKeys.contents(of: name)))
        let parts = confirmedParts(epoch)
        for (index, part) in parts.enumerated() {
            writes.append(
                .put(StateKeys.part(index, of: name), MessageEncoder.encodeSnapshotRecord(part)))
        }
    }

    private func confirmedParts(_ epoch: Epoch) -> [SnapshotPart] {
        var parts: [[SnapshotPart.Row]] = [[]]
        var confirmed = ListState()
        speculation.rebase(
            { self.context(of: $0) }, dropping: { _ in false }, { confirmed = $0 })
        let position = Position(epoch: epoch, version: confirmed.head)
        confirmed.forEach({ element, grave in
            if parts[parts.count - 1].count == Self.partRows { parts.append([]) }
            parts[parts.count - 1].append(
                grave.map { .grave(element.id, $0) } ?? .element(element))
        })
        return parts.enumerated().map { index, rows in
            SnapshotPart(
                position: position, index: index, isLast: index == parts.count - 1,
                title: confirmed.title,
                schema: confirmed.schema, rows: rows)
        }
    }

    private static let partRows = 500

    /// To be written with all that was done since; encoded once, when that leaves.
    func storePosition() {
        if isLive { released = max(released, lastNumber) }
        isPositionDue = true
    }

    /// The position, where it is due.
    func takePosition() -> StateWrite? {
        guard isPositionDue else { return nil }
        isPositionDue = false
        return .put(keys.position, position)
    }

    private var position: [UInt8] {
        var writer = JSONWriter(capacity: 96)
        writer.array {
            if let epoch { $0.text(epoch.description) } else { $0.null() }
            $0.int(lastNumber.number)
            $0.array {
                for (n, code) in rejected.sorted(by: { $0.key < $1.key }) {
                    $0.array {
                        $0.int(n.number)
                        $0.text(code.rawValue)
                    }
                }
            }
            $0.array { for n in loggedUnheard { $0.int(n.number) } }
            $0.int(released.number)
            $0.array { for n in discardedUnknown.sorted() { $0.int(n.number) } }
        }
        return writer.bytes
    }

    /// Mutations that are in the confirmed list already, though their outcome was not heard: those
    /// that are no longer visible. Both stand in the order of their numbers, and what is logged
    /// stands in front, so a long queue costs nothing here.
    private var loggedUnheard: [MutationNumber] {
        if hasLostAccess { return [] }
        let visible = speculation.pending
        let newest = unresolved.last?.mutation.n
        var logged: [MutationNumber] = []
        var next = visible.startIndex
        for waiting in unresolved {
            let n = waiting.mutation.n
            // While numbers are given anew, what is visible still bears the old ones.
            if newest == visible.last?.mutation.n,
                logged.count == unresolved.count - visible.count
            {
                break
            }
            while next < visible.endIndex, visible[next].mutation.n < n { next += 1 }
            if next < visible.endIndex, visible[next].mutation.n == n { continue }
            logged.append(n)
        }
        return logged
    }

    func store(_ waiting: Unresolved) {
        guard keepsCopy else { return storePosition() }
        var writer = JSONWriter(after: [0, 0, 0, 0])
        writer.array {
            $0.int(waiting.at.milliseconds)
            $0.text(user.text)
            if let editor = waiting.editor { $0.text(editor.text) } else { $0.null() }
            $0.bool(waiting.isUncertain)
        }
        var bytes = writer.bytes
        withUnsafeBytes(of: UInt32(bytes.count - 4).littleEndian) {
            bytes.replaceSubrange(0..<4, with: $0)
        }
        MessageEncoder.append(recordOf: waiting.mutation, to: &bytes)
        writes.append(.put(keys.pending(waiting.mutation.n), bytes))
        storePosition()
    }

    /// Editors without a draft end with the program.
    func store(_ editor: Editor) {
        guard keepsCopy, !Faults.has(.draftNotStored) else { return }
        let key = StateKeys.editor(editor.id, in: name)
        writes.append(
            editor.hasDraft ? .put(key, MessageEncoder.encode(editor.value(of: ()))) : .remove(key))
    }

    /// Takes up what an earlier run left. Throws where it cannot be read; nothing is changed then.
    func load(_ state: [String: [UInt8]], decoder: MessageDecoder) throws(Refusal) {
        do {
            let logged = try loadNumbers(state, decoder)
            guard keepsCopy else { return }
            if let epoch { try loadContents(state, decoder, epoch) }
            try loadPending(state, decoder, logged)
            try loadEditors(state, decoder)
            note = String(decoding: state[StateKeys.note(of: name)] ?? [], as: UTF8.self)
            joinCommits()
        } catch {
            throw Refusal(
                .listUnreadable,
                "the local copy of \(name) cannot be read and is left as it is: \(error)")
        }
    }

    /// Answers the mutations that are in the confirmed list already, though their outcome was not
    /// heard.
    private func loadNumbers(
        _ state: [String: [UInt8]], _ decoder: MessageDecoder
    ) throws -> Set<MutationNumber> {
        guard let bytes = state[StateKeys.position(of: name)] else { return [] }
        guard case .array(let parts) = try decoder.decodeValue(bytes), parts.count >= 4,
            let last = MutationNumber(parts[1]), case .array(let rejections) = parts[2],
            case .array(let logged) = parts[3]
        else { throw Unreadable(what: "its position") }
        if keepsCopy, parts[0] != .null {
            guard let known = parts[0].text.flatMap(Epoch.init) else {
                throw Unreadable(what: "its position")
            }
            epoch = known
        }
        lastNumber = last
        // Before it was written down, anything might have gone out.
        released = parts.count > 4 ? MutationNumber(parts[4]) ?? last : last
        everSent = released
        for rejection in rejections {
            guard case .array(let pair) = rejection, pair.count == 2,
                let n = MutationNumber(pair[0]),
                let code = pair[1].text.flatMap(Code.init(rawValue:))
            else { throw Unreadable(what: "its position") }
            rejected[n] = code
        }
        if parts.count > 5, case .array(let discarded) = parts[5] {
            discardedUnknown = Set(discarded.compactMap { MutationNumber($0) })
        }
        return Set(logged.compactMap { MutationNumber($0) })
    }

    private func loadContents(
        _ state: [String: [UInt8]], _ decoder: MessageDecoder, _ epoch: Epoch
    ) throws {
        var incoming = Incoming()
        for item in state.under(StateKeys.parts(of: name)) {
            let part = try decoder.decodeSnapshotRecord(item.bytes)
            guard item.key == StateKeys.part(part.index, of: name),
                part.position.epoch == epoch, incoming.take(part)
            else {
                throw Unreadable(what: item.key)
            }
        }
        guard incoming.parts.last?.isLast != false else {
            throw Unreadable(what: "the end of its rows")
        }
        var confirmed = incoming.snapshot ?? ListState()
        for item in state.under(StateKeys.entries(of: name)) {
            let entry = try decoder.decodeEntryRecord(item.bytes)
            guard item.key == StateKeys.entry(entry.version, of: name) else {
                throw Unreadable(what: item.key)
            }
            try confirmed.apply(entry)
            lastEntryAt = entry.at
            storedEntries += 1
        }
        speculation = Speculation(confirmed)
    }

    private func loadPending(
        _ state: [String: [UInt8]], _ decoder: MessageDecoder, _ logged: Set<MutationNumber>
    ) throws {
        for item in state.under(StateKeys.allPending(in: name)) {
            let record = try PendingRecord(item.bytes, of: item.key, decoder)
            let mutation = record.mutation
            // Work is taken up in the order of keys, and let go by them.
            guard item.key == StateKeys.pending(mutation.n, in: name) else {
                throw Unreadable(what: item.key)
            }
            unresolved.append(
                Unresolved(
                    mutation: mutation, at: record.at, ticket: 0,
                    isUncertain: record.isUncertain, editor: record.editor))
            lastNumber = max(lastNumber, mutation.n)
            if !logged.contains(mutation.n) {
                speculation.propose(mutation, context(at: record.at, by: record.user))
            }
        }
    }

    private func loadEditors(_ state: [String: [UInt8]], _ decoder: MessageDecoder) throws {
        for item in state.under(StateKeys.allEditors(in: name)) {
            guard let editor = Editor(try decoder.decodeValue(item.bytes)),
                item.key == StateKeys.editor(editor.id, in: name)
            else {
                throw Unreadable(what: item.key)
            }
            editors[editor.id] = editor
            nextSerial = max(nextSerial, editor.serial + 1)
        }
    }

    /// What carries a draft and its editor know of each other again.
    private func joinCommits() {
        for index in unresolved.indices {
            guard let commit = unresolved[index].editor.flatMap({ editors[$0]?.commit }),
                commit.n == unresolved[index].mutation.n
            else { continue }
            unresolved[index].commit = commit
        }
        let waiting = Set(unresolved.map(\.mutation.n))
        for (id, editor) in editors {
            if let n = editor.commit?.n, !waiting.contains(n) { editors[id]?.commit = nil }
        }
    }
}

extension MutationNumber {
    fileprivate init?(_ value: Value) {
        guard case .int(let number) = value else { return nil }
        self.init(UInt64(bitPattern: number))
    }
}

struct Unreadable: Error, CustomStringConvertible {
    let what: String
    var description: String { "\(what) is damaged" }
}

extension [String: [UInt8]] {
    /// What stands under a prefix, in key order.
    fileprivate func under(_ prefix: String) -> [(key: String, bytes: [UInt8])] {
        filter { $0.key.hasPrefix(prefix) }.sorted { $0.key < $1.key }
            .map { (key: $0.key, bytes: $0.value) }
    }
}
