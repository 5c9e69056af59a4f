import Foundation
import ListModel
import Testing

@testable import Samelist

/// Rows: whose they are, and what gestures on them mean.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(4)), .onBothGrounds)
struct RowTests {
    private let room = Room()

    @Test func `every row has an ID of its own, be it one of its type's or not`() async throws {
        let raw: LiveList<Record> = try await room.list()
        for id in ["7", "-0", "x", "y"] {
            try raw.append(Record(id: try #require(ElementID(id)), ["title": .text(id)]))
        }
        try await raw.append(Record(id: try #require(ElementID("8")))).acknowledged()
        let numbers: LiveList<Numbered> = try await room.list(as: "bob")
        let uniques: LiveList<Unique> = try await room.list(as: "cy")
        #expect(numbers.map(\.title) == ["7", nil, nil, nil, nil])
        let ids = numbers.map(\.id)
        #expect(ids == numbers.rows.map(\.id) && Set(ids).count == 5, "stable, and each its own")
        #expect(ids[0] == 7 && ids[4] == 8, "also where the element cannot be read")
        #expect(numbers.map(\.meta.elementID.text) == ["7", "-0", "x", "y", "8"])
        #expect(Set(uniques.map(\.id)).count == 5 && uniques.map(\.id) == uniques.map(\.id))
        #expect { try numbers.remove(ids[2]) } throws: {
            ($0 as? ListError)?.code == .noSuchElement
        }
        try await numbers.remove([7, 8]).acknowledged()
        try await numbers.rows.remove(atOffsets: 0..<3).acknowledged()
        await until { raw.isEmpty }
    }

    @Test func `what an element calls its properties is read through its row`() async throws {
        struct Report: ListElement {
            var id = ElementID.new()
            var error: String
            var by = "me"
            var at = 3
            var version = 2.5
            var fields = ["a"]
        }
        let list: LiveList<Report> = try await room.list()
        try list.append(Report(error: "late"))
        let row = list[0]
        #expect(row.error == "late" && row.by == "me" && row.at == 3 && row.version == 2.5)
        #expect(row.fields == ["a"] && row.meta.changedBy.text == "ana" && row.meta.error == nil)
    }

    @Test func `rows are what was shown, whatever became of the list`() async throws {
        let ana: LiveList<Todo> = try await room.list()
        let bob: LiveList<Todo> = try await room.list(as: "bob")
        try ana.append(contentsOf: "abcd".map { Todo(title: "\($0)") })
        await until { bob.count == 4 }
        let rows = ana.rows
        try bob.rows.remove(atOffsets: [1])
        try bob.update(bob[0].id) { $0.title = "A" }
        try await bob.insert(Todo(title: "x"), at: .first).acknowledged()
        await until { ana.count == 4 && ana[0].title == "x" }
        #expect(rows.compactMap(\.title) == ["a", "b", "c", "d"], "as they were")
        #expect(ana.rows.compactMap(\.title) == ["x", "A", "c", "d"])
        try rows.move(fromOffsets: [1, 3], toOffset: 0)
        #expect(ana.compactMap(\.title).joined() == "dxAc", "what is gone is passed over")
        try rows.insert(Todo(title: "y"), at: 2)
        #expect(ana.compactMap(\.title).joined() == "dxAyc", "behind b, which is gone")
        try rows.remove(atOffsets: [0, 1, 9])
        #expect(ana.compactMap(\.title).joined() == "dxyc")
        #expect(rows[4].element == nil && rows[-1].element == nil)
        try ana.rows.insert(Todo(title: "z"), at: 99)
        #expect(ana.last?.title == "z")
    }

    @Test func `thousands are appended, removed and moved as one, and taken back as one`()
        async throws
    {
        let ana: LiveList<Todo> = try await room.list()
        ana.client.goOffline()
        let count = 2_500
        try ana.append(Todo(title: "first"))
        try ana.append(contentsOf: (0..<count).map { Todo(title: "\($0)") })
        #expect(ana.count == count + 1 && ana.pendingCount > 3)
        try ana.undo()
        #expect(ana.count == 1)
        try ana.redo()
        #expect(ana.count == count + 1)
        ana.client.goOnline()
        await until { ana.pendingCount == 0 }
        try await ana.rows.remove(atOffsets: 0..<count).acknowledged()
        #expect(ana.count == 1)
        try await ana.undo().acknowledged()
        #expect(ana.count == count + 1 && ana[count].title == "\(count - 1)")
        try await ana.redo().acknowledged()
        #expect(ana.count == 1)
        try await ana.undo().acknowledged()
        try await ana.undo().acknowledged()
        #expect(ana.map(\.title) == ["first"])
    }

    @Test func `lists are made, named, counted and renamed by their client`() async throws {
        let client = try room.client("ana")
        try await client.create("food", title: "Food")
        try await client.create("food", title: "Food")
        let food = try await client.open("food", as: Todo.self)
        #expect(food.title == "Food")
        try food.append(Todo(title: "Milk"))
        try await food.rename("Groceries").acknowledged()
        let all = try await client.lists()
        #expect(all == [ListSummary(name: "food", title: "Groceries", count: 1)])
        try await client.rename("food", to: "Meals")
        #expect(food.title == "Meals" && food.closeReason == nil)
        let bob = try room.client("bob")
        try await bob.rename("food", to: "Food")
        await until { food.title == "Food" }
        await #expect { try await bob.rename("none", to: "x") } throws: {
            ($0 as? ListError)?.code == .noSuchList
        }
        await #expect { try await client.create("No List") } throws: {
            ($0 as? ListError)?.code == .badName
        }
        try await client.delete("food")
        #expect(try await client.lists().isEmpty)
    }
}
