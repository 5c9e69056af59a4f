public import ListModel
public import Observation

/// An open list of elements of one type, alive: what others do shows in it by itself, and what is
/// done through it shows at once, is sent, and is taken back if the server refuses it.
///
/// ```swift
/// let todos = try await client.open("todos", as: Todo.self, ifMissing: .create)
/// let cable = try todos.append(Todo(title: "Order cable"))
/// try todos.update(cable.id) { $0.done = true }
/// for row in todos { print(row.title ?? "unreadable") }
/// ```
///
/// It is a collection of rows, all those of the list, so that its indexes and offsets are those of
/// the list; an element that does not decode is a row without an element. `view()` is a collection
/// of the elements themselves. What a screen shows, and a gesture means by number, is a value:
/// `rows`. Reading is possible at any time: offline, and after the list was closed.
///
/// Screens that read it are updated through Observation, which is by the list: whatever changes
/// wakes everybody who read anything of it, and what did not change is read again at the cost of a
/// look-up.
///
/// It keeps its client alive. One that was opened stays open, and its work goes on, until
/// `close()`, or until nobody holds the client or a list of it any more.
@MainActor
@Observable
public final class LiveList<Item: ListElement> {
    @ObservationIgnored package let list: OpenList
    /// Through which it is open.
    public let client: ListClient
    @ObservationIgnored let decoded: DecodedRows<Item>
    @ObservationIgnored private var shown: (generation: Int, elements: [ListModel.Element])?

    /// The client by name: of the two, only the typed list keeps it alive.
    package init(_ list: OpenList, of client: ListClient) {
        self.list = list
        self.client = client
        decoded = DecodedRows(of: list)
    }

    /// The list's name on its server.
    public var name: String { list.name.text }
    /// The list's title, for people; empty where it has none.
    public var title: String { list.title }
    /// The last entry of the list that is known here.
    public var version: Version { list.version }
    /// Why the list can no longer be written; `nil` while it can.
    public var closeReason: ListError? { list.end }
    /// Mutations that the server has not decided yet.
    public var pendingCount: Int { list.pendingCount }
    /// How the client stands with its server.
    public var connection: ConnectionState { client.connection }
    /// The last time, since it was opened, that the list went on from another log: a backup was
    /// restored on its server. Editors and changes tell the difference, this that there was one.
    public var logReplacement: LogReplacement? { list.logReplacement }
    /// The last thing that was refused after it had been done here, or that could not be written
    /// through a binding.
    public var lastError: ListError? { list.lastRefusal }

    /// The element with this ID; `nil` where there is none, or it does not decode. O(1).
    public subscript(id id: Item.ID) -> Item? { row(id: id)?.element }

    /// The row with this ID; `nil` where there is none. O(1).
    public func row(id: Item.ID) -> Row<Item>? {
        id.elementID.flatMap { list[$0] }.map(decoded.row)
    }

    /// Whether there is a row with this ID. O(1).
    public func contains(id: Item.ID) -> Bool { id.elementID.map { list[$0] != nil } ?? false }

    /// How many rows stand before the one with this ID. O(log n).
    public func index(id: Item.ID) -> Int? { id.elementID.flatMap { list.index(of: $0) } }

    /// Who else has an editor open on an element, as far as the server told.
    public func editors(of id: Item.ID) -> [UserName] {
        id.elementID.map { list.othersEditing($0) } ?? []
    }

    /// The rows whose elements do not decode. O(n).
    public var undecodable: [Row<Item>] { filter { $0.meta.error != nil } }

    /// The rows as they are now, to be shown: a value, which does not change under the gestures of
    /// whoever looks at it. O(n) once after each change.
    public var rows: Rows<Item> {
        let generation = list.generation
        if shown?.generation != generation { shown = (generation, list.elements) }
        return Rows(list: self, elements: shown?.elements ?? [])
    }

    /// Ends the list here: nothing more is told of it. Its pending work is kept and goes on when it
    /// is opened again.
    public func close() { client.close(list.name) }
}

extension LiveList: @MainActor RowCollection {
    /// How many rows there are.
    public var endIndex: Int { list.count }

    /// The row with `index` others before it. O(log n).
    ///
    /// A list may shrink between a screen's look at its indexes and its look at the rows: an index
    /// behind the end answers a row without an element, and `no_such_element` as its error.
    public subscript(index: Int) -> Row<Item> {
        list[index].map(decoded.row) ?? Row(outside: index)
    }

    /// Over the rows as they are now, whatever happens to the list meanwhile.
    public func makeIterator() -> Iterator { Iterator(state: list.state, decoded: decoded) }

    /// Walks the rows as they were when it was made.
    @MainActor
    public struct Iterator: @MainActor IteratorProtocol {
        let state: ListState
        let decoded: DecodedRows<Item>
        var index = 0

        /// `nil` behind the last row.
        public mutating func next() -> Row<Item>? {
            guard let element = state.element(at: index) else { return nil }
            index += 1
            return decoded.row(element)
        }
    }
}
