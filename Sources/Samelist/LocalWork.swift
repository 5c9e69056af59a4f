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
        /// A process has it, and may be about to change what is told of it.
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
    /// moment, and looks at those that a process has.
    package static func all(
        in folder: String, server: ServerAddress, name: UserName
    ) -> [LocalWork] {
        let folder = ClientIdentity.folder(in: folder, server: server, name: name)
        return ClientIdentity.clients(in: folder).map { work(of: $0, in: folder) }
    }

    private static func work(of client: String, in folder: String) -> LocalWork {
        do throws(StorageError) {
            let (kept, isInUse) = try ClientIdentity.kept(by: client, in: folder)
            return LocalWork(
                client: client, state: isInUse ? .inUse : .idle, lists: lists(in: kept))
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
