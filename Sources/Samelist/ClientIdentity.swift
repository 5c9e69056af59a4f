package import ListModel
internal import ListReplica
package import Storage

/// Who a client is, and what it must not forget: a file of its own, which one process has at a
/// time.
///
/// Files stand under `FOLDER/SERVER/NAME/KIND-N.db`. One that no other process has is taken, so
/// that a client that ended, or was killed, is the same client when it starts again, and two that
/// run at once are two: the first of those that keep work that the server has not answered, else of
/// those that keep drafts, else of all.
package struct ClientIdentity {
    package let client: ClientID
    package let store: any StateStorage
    /// Everything kept, by key.
    package let kept: [String: [UInt8]]
    /// The file of it; `nil` for an identity that is forgotten.
    package let file: String?
    /// Those of the same kind that no process has and that keep work or drafts, and were not taken.
    package private(set) var others: [Other] = []

    /// Clients of one user, server and kind at once.
    private static let most = 1_000

    /// - Parameter list: the one that it will open, whose work goes before that of others.
    package static func take(
        in folder: String, server: ServerAddress, name: UserName, kind: String,
        for list: ListName? = nil
    ) throws(StorageError) -> ClientIdentity {
        let folder = Self.folder(in: folder, server: server, name: name)
        let numbers = numbers(of: kind, in: folder)
        var best: Free?
        var others: [Other] = []
        for number in numbers {
            guard let free = try claim("\(kind)-\(number)", in: folder) else { continue }
            guard let held = best else {
                best = free
                continue
            }
            let isBetter = held.other.worth(for: list).lexicographicallyPrecedes(
                free.other.worth(for: list))
            let left = isBetter ? held : free
            if isBetter { best = free }
            left.store.close()
            if !left.other.work.isEmpty { others.append(left.other) }
        }
        if best == nil {
            for number in 1...most where best == nil && !numbers.contains(number) {
                best = try claim("\(kind)-\(number)", in: folder)
            }
        }
        guard let best else {
            throw .failed("\(most) clients of \(name) run at once; end some of them")
        }
        var identity = try naming(best.file) { () throws(StorageError) in
            try take(best.store, best.file)
        }
        identity.others = others.sorted { $0.client < $1.client }
        return identity
    }

    /// A file that no other process had; this one has it now.
    private struct Free {
        let file: String
        let store: SQLiteStateStorage
        let other: Other
    }

    /// `nil`: another process has it. Only its keys are looked at.
    private static func claim(
        _ client: String, in folder: String
    ) throws(StorageError) -> Free? {
        let file = "\(folder)/\(client).db"
        do throws(StorageError) {
            return try naming(file) { () throws(StorageError) in
                let store = try SQLiteStateStorage.open(file)
                return Free(
                    file: file, store: store, other: Other(client, try store.keys()))
            }
        } catch .inUse {
            return nil
        }
    }

    /// What cannot be read is told with the file that it is.
    private static func naming<Result>(
        _ file: String, _ body: () throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        do throws(StorageError) {
            return try body()
        } catch .damaged(let sentence) {
            throw .damaged(unreadable(file, sentence))
        } catch .foreign(let sentence) {
            throw .foreign(unreadable(file, sentence))
        }
    }

    /// Where the clients of a user and a server have their files.
    package static func folder(in folder: String, server: ServerAddress, name: UserName) -> String {
        folder + "/" + fileName(server.description) + "/" + fileName(name.text)
    }

    /// An identity that is forgotten with the process, or with what stores it.
    package static func inMemory(
        _ store: InMemoryStateStorage = InMemoryStateStorage()
    ) throws(StorageError) -> ClientIdentity {
        try take(store, nil)
    }

    private static func unreadable(_ file: String, _ why: String) -> String {
        "this user's own state in \(file) cannot be read and is left as it is (\(why)) "
            + "Move the file away to begin anew; changes and drafts that only it has go with it."
    }

    private static func take(
        _ store: any StateStorage, _ file: String?
    ) throws(StorageError) -> ClientIdentity {
        let kept = try store.load()
        if let bytes = kept[StateKeys.client],
            let client = ClientID(String(decoding: bytes, as: UTF8.self))
        {
            return ClientIdentity(client: client, store: store, kept: kept, file: file)
        }
        let client = Fresh.client()
        try store.commit([.put(StateKeys.client, Array(client.text.utf8))])
        return ClientIdentity(client: client, store: store, kept: kept, file: file)
    }

    /// A text as one part of a path: everything but letters, digits, dots and hyphens is written
    /// out.
    /// Never `.` or `..`, and never hidden.
    private static func fileName(_ text: String) -> String {
        text.utf8.enumerated().map { index, byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D: String(UnicodeScalar(byte))
            case 0x2E where index > 0: "."
            default: "_" + String(byte, radix: 16)
            }
        }.joined()
    }
}
