import ListModel
import ListReplica
import Testing

@Suite("Gestures on the rows that were seen")
struct ShownRowsTests {
    private let rows = ShownRows(["a", "b", "c", "d"].compactMap { ElementID($0) })

    @Test("OR1: a drag means the row it began on, whatever came before it meanwhile")
    func drag() throws {
        var list = ListState()
        for id in rows.ids { list.perform(.insert(id, at: .last, [:])) }
        let stranger: ElementID = "x"
        list.perform(.insert(stranger, at: .first, [:]))
        let move = try #require(rows.move(fromOffsets: [2], toOffset: 0))
        list.perform(move.intent)
        #expect(list.elements.map(\.id.text) == ["c", "x", "a", "b", "d"])
    }

    @Test(
        "rows go before the row that had the number, as onMove says",
        arguments: [
            ([3], 0, ["d", "a", "b", "c"]), ([0], 4, ["b", "c", "d", "a"]),
            ([0, 2], 2, ["b", "a", "c", "d"]), ([1], 1, ["a", "b", "c", "d"]),
            ([0, 1], 3, ["c", "a", "b", "d"]), ([1], 9, ["a", "c", "d", "b"]),
            ([1], -2, ["b", "a", "c", "d"]),
        ])
    func moves(source: [Int], destination: Int, expected: [String]) throws {
        var list = ListState()
        for id in rows.ids { list.perform(.insert(id, at: .last, [:])) }
        let move = try #require(rows.move(fromOffsets: source, toOffset: destination))
        list.perform(move.intent)
        #expect(list.elements.map(\.id.text) == expected)
    }

    @Test func `numbers outside the rows mean nothing`() {
        #expect(rows.move(fromOffsets: [9], toOffset: 0) == nil)
        #expect(rows.remove(atOffsets: [-1, 4]).isEmpty)
        #expect(rows.remove(atOffsets: [3, 0]).map(\.targets) == [[rows.ids[0]], [rows.ids[3]]])
    }
}

extension ListState {
    fileprivate mutating func perform(_ intent: Operation.Intent) {
        guard let client = ClientID("c") else { return }
        let mutation = Mutation(
            client: client, n: MutationNumber(1), operations: [Operation(intent)])
        _ = perform(mutation, ResolutionContext(at: .zero, by: "ana", limits: Limits()))
    }
}
