internal import Glibc
internal import ListModel
internal import ListProtocol
package import ListReplica
internal import Storage

/// What one client of a user left on this machine: work that no server has decided, and drafts.
package struct LocalWork {
    /// Kind and number of the client, such as `shell-1`.
    package let client: String
    package let state: State
    package let lists: [List]

    package enum State {
        /// A process has it; only that process can tell.
        case inUse
        case idle
        case unreadable(String)
    }

    package struct List {
        package let name: String
        package let work: [KeptWork]

        package var pending: Int {
            work.count { if case .pending = $0 { true } else { false } }
        }
        package var drafts: Int { work.count { if case .draft = $0 { true } else { false } } }
    }

    /// All clients of a user and server but those of verbs, which leave nothing. Takes each for a
    /// moment.
    package static func all(
        in folder: String, server: ServerAddress, name: UserName
    ) -> [LocalWork] {
        let folder = ClientIdentity.folder(in: folder, server: server, name: name)
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var clients: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".db"), !name.hasPrefix("verb-") {
                clients.append(String(name.dropLast(3)))
            }
        }
        return clients.sorted().map { work(of: $0, in: folder) }
    }

    private static func work(of client: String, in folder: String) -> LocalWork {
        do throws(StorageError) {
            let store = try SQLiteStateStorage.open("\(folder)/\(client).db")
            defer { store.close() }
            return LocalWork(client: client, state: .idle, lists: lists(in: try store.load()))
        } catch .inUse {
            return LocalWork(client: client, state: .inUse, lists: [])
        } catch {
            return LocalWork(
                client: client, state: .unreadable(error.description), lists: [])
        }
    }

    private static func lists(in kept: [String: [UInt8]]) -> [List] {
        let decoder = MessageDecoder(limits: Limits())
        return KeptWork.all(in: kept, decoder).map { List(name: $0.key, work: $0.value) }
            .sorted { $0.name < $1.name }
    }
}
