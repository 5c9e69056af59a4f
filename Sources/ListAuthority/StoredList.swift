package import ListModel
package import ListProtocol

/// A list as it comes from storage: its state, its clients, and the records that follow the stored
/// snapshot. Made by whoever reads the storage, away from the authority's thread, since a long log
/// takes a while.
package struct StoredList: Sendable {
    package let epoch: Epoch
    package private(set) var state: ListState
    package private(set) var sessions = Sessions()
    /// The newest records, those that fit `tailBytes`.
    package private(set) var tail = LogTail()
    package private(set) var times = Times()
    /// Version of the stored snapshot; 0: there is none.
    package let snapshotVersion: Version
    /// The oldest entry that the log still holds.
    package let first: Version

    /// A list that was just created.
    init(newWith epoch: Epoch) {
        self.epoch = epoch
        state = ListState()
        snapshotVersion = .zero
        first = Version(1)
    }

    /// The list of an empty log, or of a stored snapshot: rows by `encodeSnapshotRecord`, then
    /// clients.
    package init(
        epoch: Epoch, first: Version, snapshotVersion: Version, parts: [[UInt8]],
        decoder: MessageDecoder
    ) throws(Refusal) {
        self.epoch = epoch
        self.first = first
        self.snapshotVersion = snapshotVersion
        state = ListState()
        guard let clients = parts.last else {
            guard snapshotVersion == .zero else { throw Self.unreadable("its snapshot is empty") }
            return
        }
        do {
            guard let sessions = Sessions(try decoder.decodeValue(clients)) else {
                throw Self.unreadable("the clients in its snapshot cannot be read")
            }
            self.sessions = sessions
            for (index, bytes) in parts.dropLast().enumerated() {
                let part = try decoder.decodeSnapshotRecord(bytes)
                if index == 0 {
                    state = ListState(
                        head: part.position.version, lastAt: sessions.lastAt, title: part.title,
                        schema: part.schema)
                }
                guard part.position.version == snapshotVersion, part.index == index,
                    part.isLast == (index == parts.count - 2), state.append(part.rows)
                else {
                    throw Self.unreadable("part \(index) of its snapshot does not fit")
                }
            }
        } catch let refusal as Refusal {
            throw refusal
        } catch {
            throw Self.unreadable("its snapshot cannot be read: \(error)")
        }
        guard state.head == snapshotVersion else {
            throw Self.unreadable("its snapshot has no rows at version \(snapshotVersion)")
        }
        tail = LogTail(after: state.head)
    }

    /// Applies the records that follow, oldest first.
    package mutating func append(_ records: [[UInt8]], decoder: MessageDecoder) throws(Refusal) {
        for record in records {
            do {
                let entry = try decoder.decodeEntryRecord(record)
                try state.apply(entry)
                sessions.record(entry)
                tail.append(record)
                times.note(entry)
            } catch {
                throw Self.unreadable("entry \(state.head.next) cannot be read: \(error)")
            }
        }
    }

    /// A list that comes from elsewhere, at the version of its rows.
    package init(epoch: Epoch, state: ListState, sessions: Sessions) {
        self.epoch = epoch
        self.state = state
        self.sessions = sessions
        self.sessions.passed(state.lastAt)
        snapshotVersion = state.head
        first = state.head.next
    }

    /// What the storage keeps of the list as it is.
    package func snapshotRecords(limits: Limits) -> [[UInt8]] {
        SnapshotPages.records(
            of: state, sessions, at: Position(epoch: epoch, version: state.head), limits: limits)
    }

    private static func unreadable(_ why: String) -> Refusal {
        Refusal(.listUnreadable, "the list is left as it is on disk, and not served: \(why)")
    }
}
