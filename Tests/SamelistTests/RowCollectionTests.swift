import Testing

@testable import Samelist

/// Rows go while somebody walks them: nothing traps, and every row is seen once.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(4)), .onBothGrounds)
struct RowCollectionTests {
    private let room = Room()

    private func letters(_ letters: String = "abcdef") async throws -> LiveList<Todo> {
        let list: LiveList<Todo> = try await room.list()
        try await list.append(contentsOf: letters.map { Todo(title: "\($0)") }).acknowledged()
        return list
    }

    private func titles(_ rows: some Sequence<Row<Todo>>) -> String {
        rows.map { $0.title ?? "?" }.joined()
    }

    @Test func `a slice keeps its rows whatever becomes of the list`() async throws {
        let list = try await letters()
        let view = list.view(sortedBy: { $0.title > $1.title })
        let screen = EditableList(list)
        let slices = [list.suffix(2), view.prefix(2), screen[1..<3], list.dropFirst(4)]
        try list.remove(list.compactMap(\.element?.id))
        #expect(slices.map(titles) == ["ef", "fe", "bc", "ef"])
        #expect(slices[0].startIndex == 4 && slices[0].last?.title == "f")
        #expect(titles(list[0..<2]) == "??", "an index of a moment ago")
    }

    @Test func `removing the rows of a slice removes those, and no others`() async throws {
        let list = try await letters()
        for row in list.prefix(3) { try list.remove(row.id) }
        #expect(titles(list) == "def")
        for row in list.view().suffix(2) { try list.remove(row.id) }
        #expect(titles(list) == "d")
    }

    @Test func `map visits every row, though each is removed on the way`() async throws {
        let list = try await letters()
        let view = list.view(where: { $0.title < "d" })
        #expect(try view.map { try list.remove($0.id) }.count == 3)
        #expect(try list.map { try list.remove($0.id) }.count == 3 && list.isEmpty)
    }

    @Test func `looking for a row ends, though the list shrinks meanwhile`() async throws {
        let list = try await letters()
        #expect(
            try list.firstIndex { row in
                if list.count > 1 { try list.remove(row.id) }
                return row.title == "d"
            } == 3)
        #expect(titles(list) == "ef")
        #expect(list.index(after: 7) == 8 && list.distance(from: 9, to: 4) == -5)
        #expect(list.lastIndex { $0.title == "e" } == 0 && list.last { _ in true }?.title == "f")
        #expect(list.lastIndex { _ in false } == nil)
        #expect(titles(list.prefix { $0.title == "e" }) == "e")
        #expect(titles(list.drop { $0.title == "e" }) == "f")
        for row in list.reversed() { try list.remove(row.id) }
        #expect(list.isEmpty)
    }

    @Test func `list and view have the same questions`() async throws {
        let list = try await letters("abc")
        let view = list.view(where: { $0.title != "b" })
        let b = try #require(list[1].element)
        #expect(list.elements.map(\.title) == ["a", "b", "c"])
        #expect(view.elements.map(\.title) == ["a", "c"])
        #expect(list.contains(id: b.id) && !view.contains(id: b.id))
        #expect(list.row(id: b.id)?.title == "b" && view.row(id: b.id) == nil)
        #expect(view.row(id: try #require(list[0].element).id)?.title == "a")
        #expect(!list.contains(id: .new()))
    }
}
