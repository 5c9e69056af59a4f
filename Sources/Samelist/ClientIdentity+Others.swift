internal import Glibc
package import ListModel
package import ListReplica
internal import Storage

/// What the other clients of a user and a server keep on this machine, for those who only look.
extension ClientIdentity {
    /// A client that no process has, and the work that it keeps.
    package struct Other: Sendable {
        /// Kind and number, such as `shell-2`.
        package let client: String
        /// By list, in the order of names; lists without work are not among them.
        package let work: [(list: String, pending: Int, drafts: Int)]

        /// - Parameter keys: all under which it keeps something.
        init(_ client: String, _ keys: [String]) {
            self.client = client
            var counts: [String: (pending: Int, drafts: Int)] = [:]
            for key in keys {
                switch StateKeys.part(of: key) {
                case (let list, .pending)?: counts[list, default: (0, 0)].pending += 1
                case (let list, .editor)?, (let list, .note)?:
                    counts[list, default: (0, 0)].drafts += 1
                case (_, .other)?, nil: break
                }
            }
            work = counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value.0, $0.value.1) }
        }

        /// How much there is to be gone on with, the most important first.
        func worth(for list: ListName?) -> [Int] {
            let own = work.filter { $0.list == list?.text }
            return [own, work].flatMap { work in
                [work.contains { $0.pending > 0 } ? 1 : 0, work.isEmpty ? 0 : 1]
            }
        }
    }

    /// Kind and number of each client but those of verbs, which leave nothing.
    static func clients(in folder: String) -> [String] {
        files(in: folder).filter { !$0.hasPrefix("verb-") }.sorted()
    }

    /// The numbers of the clients of a kind, the lowest first.
    static func numbers(of kind: String, in folder: String) -> [Int] {
        files(in: folder).compactMap { client in
            guard client.hasPrefix(kind + "-"),
                let number = Int(client.dropFirst(kind.utf8.count + 1)), number > 0,
                client == "\(kind)-\(number)"
            else { return nil }
            return number
        }.sorted()
    }

    private static func files(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var clients: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".db") { clients.append(String(name.dropLast(3))) }
        }
        return clients
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
