internal import Glibc
package import ListModel
package import ListReplica
internal import Storage

/// What the other clients of a user and a server keep on this machine, for those who only look.
extension ClientIdentity {
    /// Kind and number of each client but those of verbs, which leave nothing.
    static func clients(in folder: String) -> [String] {
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
        return clients.sorted()
    }

    /// What a client keeps, and whether a process has it: then it is only looked at.
    static func kept(
        by client: String, in folder: String, prefix: String = ""
    ) throws(StorageError) -> (kept: [String: [UInt8]], isInUse: Bool) {
        let file = "\(folder)/\(client).db"
        do throws(StorageError) {
            let store = try SQLiteStateStorage.open(file)
            defer { store.close() }
            return (try store.load(prefix: prefix), false)
        } catch .inUse {
            return (try SQLiteStateStorage.look(at: file, prefix: prefix), true)
        }
    }
}

extension ListClient {
    /// The newest copy of a list that another client of this user keeps on this machine, where this
    /// one has `kept` none itself; one that cannot be read is none. Reads all of them.
    package func copyOfOthers(
        of name: ListName, besides kept: [String: [UInt8]]
    ) -> StoredCopy? {
        guard StoredCopy(of: name, in: kept) == nil, let stateFile,
            let slash = stateFile.lastIndex(of: "/")
        else { return nil }
        let folder = String(stateFile[..<slash])
        let others = ClientIdentity.clients(in: folder).filter { "\(folder)/\($0).db" != stateFile }
        let copies = others.compactMap { client in
            (try? ClientIdentity.kept(by: client, in: folder, prefix: StateKeys.list(name)))
                .flatMap { StoredCopy(of: name, in: $0.kept) }
        }
        return copies.max { $0.version < $1.version }
    }
}
