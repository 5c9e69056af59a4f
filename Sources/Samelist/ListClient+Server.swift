internal import ListModel
internal import ListProtocol
internal import ListReplica

/// What a client asks the server besides.
extension ListClient {
    /// The lists of the server that this client may read, by name.
    public func lists() async throws(ListError) -> [ListSummary] {
        guard case .lists(let lists) = try await ask({ .lists($0) }) else { return [] }
        return lists.map { list in
            ListSummary(name: list.name.text, title: list.title, count: list.count)
        }
    }

    /// Makes a list, with a title for people. Where it is there already with the same title,
    /// nothing happens.
    public func create(_ name: String, title: String? = nil) async throws(ListError) {
        let name = try Self.checked(name)
        _ = try await ask { .create($0, name, title: title, schema: nil) }
    }

    /// Gives a list another title, for people. Its name stays. It is opened for that, unless it is.
    public func rename(_ name: String, to title: String) async throws(ListError) {
        let wasOpen = ListName(name).map { lists[$0] != nil } ?? false
        let list: LiveList<Record> = try await open(name)
        defer { if !wasOpen { list.close() } }
        try await list.rename(title).acknowledged()
    }

    /// Deletes a whole list, for everybody. Whoever has it open is told by whom.
    public func delete(_ name: String) async throws(ListError) {
        let name = try Self.checked(name)
        _ = try await ask { .remove($0, name) }
    }
}

/// A list of a server, as it is told of all its lists.
public struct ListSummary: Hashable, Sendable, Identifiable {
    /// By which it is opened.
    public let name: String
    /// For people; empty where it has none.
    public let title: String
    /// How many elements it has; `nil` where the server has not looked at it since it started.
    public let count: Int?

    /// Its name.
    public var id: String { name }
}
