internal import Glibc
package import ListModel
internal import ListReplica
package import Storage

/// Who a client is, and what it must not forget: a file of its own, which one process has at a
/// time.
///
/// Files stand under `FOLDER/SERVER/NAME/KIND-N.db`. The first that no other process has is taken,
/// so that a client that ended, or was killed, is the same client when it starts again, and two
/// that run at once are two.
package struct ClientIdentity {
    package let client: ClientID
    package let store: any StateStorage
    /// Everything kept, by key.
    package let kept: [String: [UInt8]]
    /// The file of it; `nil` for an identity that is forgotten.
    package let file: String?

    /// Clients of one user, server and kind at once.
    private static let most = 1_000

    package static func take(
        in folder: String, server: ServerAddress, name: UserName, kind: String
    ) throws(StorageError) -> ClientIdentity {
        let place = Self.folder(in: folder, server: server, name: name) + "/" + kind
        var free: ClientIdentity?
        for number in 1...most {
            let file = "\(place)-\(number).db"
            let isNew = access(file, F_OK) != 0
            if isNew, let free { return free }
            guard let identity = try claim(file) else { continue }
            if isNew || identity.hasWork {
                free?.store.close()
                return identity
            }
            if free == nil { free = identity } else { identity.store.close() }
        }
        if let free { return free }
        throw .failed("\(most) clients of \(name) run at once; end some of them")
    }

    /// Whether it kept work that the server has not answered, or drafts.
    private var hasWork: Bool {
        kept.keys.contains {
            $0.contains("/pending/") || $0.contains("/editor/") || $0.hasSuffix("/note")
        }
    }

    /// `nil`: another process has it.
    private static func claim(_ file: String) throws(StorageError) -> ClientIdentity? {
        do throws(StorageError) {
            return try take(SQLiteStateStorage.open(file), file)
        } catch .inUse {
            return nil
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
