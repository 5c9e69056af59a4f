import Foundation
import ListModel
import Testing

@testable import Samelist

/// A typed list over a real server and real sockets.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(4)), .onBothGrounds)
struct LiveListTests {
    private let room = Room()

    @Test func `what is done shows at once here, and soon elsewhere, in the same order`()
        async throws
    {
        let ana: LiveList<Todo> = try await room.list()
        let bob: LiveList<Todo> = try await room.list(as: "bob")
        let cable = try ana.append(Todo(title: "Order cable"))
        try ana.insert(Todo(title: "Page on-call"), at: .first)
        let rack = try ana.insert(Todo(title: "Rack 7"), at: .before(cable.id))
        try ana.rows.insert(Todo(title: "Fail over"), at: 1)
        let titles = ["Page on-call", "Fail over", "Rack 7", "Order cable"]
        #expect(ana.map(\.title) == titles)
        #expect(ana[0].title == "Page on-call" && ana[id: rack.id]?.title == "Rack 7")
        #expect(ana.index(id: cable.id) == 3)
        await until { bob.count == 4 }
        #expect(bob.map(\.title) == titles && bob[id: cable.id] == cable.submitted)
        let row = try #require(bob.row(id: cable.id))
        #expect(row.meta.changedBy.text == "ana")
        #expect(row.meta.changedAt.timeIntervalSince1970 > 1_700_000_000)
        try await bob.update(cable.id) { $0.done = true }.acknowledged()
        await until { ana[id: cable.id]?.done == true }
    }

    @Test func `an update writes only what it changed`() async throws {
        let ana: LiveList<Todo> = try await room.list()
        let bob: LiveList<Todo> = try await room.list(as: "bob")
        let milk = try ana.append(Todo(title: "Milk", owner: "ana"))
        await until { bob.count == 1 }
        ana.list.client.goOffline()
        try ana.update(milk.id) { $0.title = "Oat milk" }
        try await bob.update(milk.id) {
            $0.owner = nil
            $0.done = true
        }.acknowledged()
        ana.list.client.goOnline()
        await until { ana[id: milk.id]?.done == true && ana.pendingCount == 0 }
        let both = Todo(id: milk.id, title: "Oat milk", done: true, owner: nil)
        #expect(ana[id: milk.id] == both)
        await until { bob[id: milk.id] == both }
        let version = ana.version
        try await ana.update(milk.id) { _ in }.acknowledged()
        #expect(ana.version == version, "nothing was sent")
    }

    @Test func `counts add up, whoever counts`() async throws {
        let ana: LiveList<Todo> = try await room.list()
        let bob: LiveList<Todo> = try await room.list(as: "bob")
        let milk = try ana.append(Todo(title: "Milk"))
        await until { bob.count == 1 }
        ana.list.client.goOffline()
        #expect(try ana.increment(milk.id, \.count, by: 2).count == 2)
        try await bob.increment(milk.id, \.count).acknowledged()
        ana.list.client.goOnline()
        await until { ana[id: milk.id]?.count == 3 && bob[id: milk.id]?.count == 3 }
        try ana.update(milk.id) { $0.count = .max }
        #expect { try ana.increment(milk.id, \.count) } throws: {
            ($0 as? ListError)?.code == .outOfRange
        }
    }

    @Test func `moves and removals by offsets are those of SwiftUI`() async throws {
        let ana: LiveList<Todo> = try await room.list()
        try ana.append(contentsOf: "abcdef".map { Todo(title: "\($0)") })
        func titles() -> String { ana.compactMap(\.title).joined() }
        try ana.rows.move(fromOffsets: [3], toOffset: 0)
        #expect(titles() == "dabcef")
        try ana.rows.move(fromOffsets: [0, 1], toOffset: 6)
        #expect(titles() == "bcefda")
        try ana.rows.move(fromOffsets: [0], toOffset: 0)
        #expect(titles() == "bcefda")
        try ana.rows.remove(atOffsets: [0, 5, 9])
        #expect(titles() == "cefd")
        try ana.move([try #require(ana[3].element?.id)], to: .first)
        #expect(titles() == "dcef")
        try ana.remove(try #require(ana[0].element?.id))
        #expect(titles() == "cef")
    }

    @Test func `a gesture means the rows that its user saw (OR1)`() async throws {
        let ana: LiveList<Todo> = try await room.list()
        let bob: LiveList<Todo> = try await room.list(as: "bob")
        try ana.append(contentsOf: "abc".map { Todo(title: "\($0)") })
        await until { bob.count == 3 }
        let seen = ana.rows
        try await bob.insert(Todo(title: "x"), at: .first).acknowledged()
        await until { ana.count == 4 }
        try seen.move(fromOffsets: [2], toOffset: 0)
        #expect(ana.compactMap(\.title).joined() == "cxab")
        try seen.remove(atOffsets: [0])
        #expect(ana.compactMap(\.title).joined() == "cxb")
    }

    @Test func `undo takes back one's own work, redo brings it again`() async throws {
        let ana: LiveList<Todo> = try await room.list()
        #expect(!ana.canUndo && !ana.canRedo)
        #expect { try ana.undo() } throws: { ($0 as? ListError)?.code == .nothingToUndo }
        let milk = try ana.append(Todo(title: "Milk"))
        #expect(ana.canUndo)
        try await ana.undo().acknowledged()
        #expect(ana.isEmpty && ana.canRedo)
        try await ana.redo().acknowledged()
        #expect(ana[id: milk.id]?.title == "Milk")
        #expect { try ana.redo() } throws: { ($0 as? ListError)?.code == .nothingToRedo }
        try await ana.remove(milk.id).acknowledged()
        try await ana.restore(milk.id).acknowledged()
        #expect(ana[id: milk.id] == milk.submitted)
    }

    @Test func `what is known at once is thrown at once, with a code`() async throws {
        let ana: LiveList<Todo> = try await room.list()
        let milk = try ana.append(Todo(title: "Milk"))
        try await ana.remove(milk.id).acknowledged()
        func code(_ body: () throws -> Void) -> ListError.Code? {
            do { try body() } catch { return (error as? ListError)?.code }
            return nil
        }
        let nobody = ElementID.new()
        #expect(code { try ana.update(milk.id) { $0.done = true } } == .removed)
        #expect(code { try ana.remove(milk.id) } == .removed)
        #expect(code { try ana.append(milk.submitted) } == .idTaken)
        #expect(code { try ana.update(nobody) { $0.done = true } } == .noSuchElement)
        #expect(code { try ana.increment(nobody, \.count) } == .noSuchElement)
        #expect(code { try ana.move(nobody, to: .first) } == .noSuchElement)
        let error = try #require(throws: ListError.self) { try ana.remove(milk.id) }
        #expect(error.by?.text == "ana" && error.id == milk.id && !error.isTemporary)
        #expect(code { try ana.restore(nobody) } == .noSuchElement)
        #expect(code { try ana.insert(Todo(title: ""), at: .after(nobody)) } == .noSuchPlace)
        let twice = Todo(title: "twice")
        #expect(code { try ana.append(contentsOf: [Todo(title: ""), twice, twice]) } == .idTaken)
        let long = Todo(title: String(repeating: "x", count: 70_000))
        let before = (0..<1_100).map { Todo(title: "\($0)") }
        #expect(code { try ana.append(contentsOf: before + [long]) } == .tooLarge)
        #expect(ana.isEmpty, "nothing of a whole is done where a part cannot be")
        try ana.insert(twice, at: .after(milk.id))
        #expect(ana.map(\.title) == ["twice"], "a grave is a place, too")
    }

    @Test func `what is refused later is told with the reason, and taken back here (OP1)`()
        async throws
    {
        let ana: LiveList<Todo> = try await room.list()
        let bob: LiveList<Todo> = try await room.list(as: "bob")
        var refusals = ana.refusals.makeAsyncIterator()
        ana.list.client.goOffline()
        let id = ElementID.new()
        try ana.append(Todo(id: id, title: "mine"))
        try await bob.append(Todo(id: id, title: "bob's")).acknowledged()
        ana.list.client.goOnline()
        let error = await refusals.next()
        #expect(error?.code == .idTaken && ana.lastError == error)
        #expect(ana.map(\.title) == ["bob's"])
    }

    @Test func `who waits is told there, and a cancelled wait takes nothing back`() async throws {
        let ana: LiveList<Todo> = try await room.list()
        ana.list.client.goOffline()
        let milk = try ana.append(Todo(title: "Milk"))
        #expect(milk.isPending)
        let task = Task { try await milk.acknowledged() }
        // The main actor takes its tasks in turn: by now it waits.
        await Task { @MainActor in }.value
        task.cancel()
        await #expect { try await task.value } throws: {
            ($0 as? ListError)?.code == .cancelled
        }
        ana.list.client.goOnline()
        #expect(try await milk.acknowledged() == ana.version)
        #expect(!milk.isPending && ana.count == 1)
    }

    @Test func `a row that does not decode stays a row, at its place, and ends nothing`()
        async throws
    {
        let ana: LiveList<Todo> = try await room.list()
        let raw: LiveList<Record> = try await room.list(as: "bob")
        try ana.append(Todo(title: "a"))
        await until { raw.count == 1 }
        let odd = try raw.append(Record(["title": .int(7), "note": .text("kept")]))
        try await raw.append(Record(["title": .text("c"), "note": .text("kept")])).acknowledged()
        await until { ana.count == 3 }
        #expect(ana.map(\.title) == ["a", nil, "c"])
        #expect(ana[1].id == odd.id && ana[1].meta.error?.code == .undecodable)
        #expect(ana[1].meta.fields["note"] == .text("kept"))
        #expect(ana.undecodable.map(\.id) == [odd.id] && ana[id: odd.id] == nil)
        #expect(ana.view().elements.map(\.title) == ["a", "c"])
        #expect { try ana.update(odd.id) { $0.done = true } } throws: {
            ($0 as? ListError)?.code == .undecodable
        }
        try ana.rows.move(fromOffsets: [1], toOffset: 0)
        #expect(ana.map(\.title) == [nil, "a", "c"])
        try ana.update(try #require(ana[2].element?.id)) { $0.done = true }
        await until { raw[2].fields?["done"] == .bool(true) }
        #expect(raw[2].fields?["note"] == .text("kept"), "what the type does not know is kept")
        try ana.rows.remove(atOffsets: [0])
        #expect(ana.undecodable.isEmpty && ana.count == 2)
    }

    @Test func `IDs of every kind`() async throws {
        let numbers: LiveList<Numbered> = try await room.list(as: "ana", "numbers")
        try numbers.append(Numbered(id: 5, title: "five"))
        try numbers.append(Numbered(id: 0, title: "none"))
        #expect(numbers[0].title == "five" && numbers[id: 0]?.title == "none")
        try numbers.remove(5)
        #expect(numbers.map(\.title) == ["none"])
        let unique: LiveList<Unique> = try await room.list(as: "ana", "unique")
        let one = try unique.append(Unique(title: "one"))
        #expect(unique[id: one.id]?.title == "one")
    }

    @Test func `an index behind the end, and rows that go while they are walked, trap nothing`()
        async throws
    {
        let ana: LiveList<Todo> = try await room.list()
        try ana.append(contentsOf: "abc".map { Todo(title: "\($0)") })
        let indices = ana.indices
        var walked = ""
        for row in ana {
            walked += row.title ?? "?"
            if !ana.isEmpty { try ana.rows.remove(atOffsets: [0]) }
        }
        #expect(walked == "abc" && ana.isEmpty)
        #expect(indices.allSatisfy { ana[$0].meta.error?.code == .noSuchElement })
        #expect(ana[-1].element == nil && ana.first == nil)
    }

    @Test func `reading again decodes nothing again`() async throws {
        let ana: LiveList<Todo> = try await room.list()
        try ana.append(contentsOf: (0..<100).map { Todo(title: "\($0)") })
        _ = ana.map(\.title)
        let before = ana.decoded.decodings
        for _ in 0..<10 { _ = ana.map(\.title) }
        #expect(ana.decoded.decodings == before)
        let id = try #require(ana[5].element?.id)
        try ana.update(id) { $0.done = true }
        for _ in 0..<10 { _ = ana.map(\.done) }
        #expect(ana.decoded.decodings <= before + 1)
        // What was foreseen under a version, and what came under it, are two.
        var foreseen = try #require(ana.list[id])
        let row = ana.decoded.row(foreseen)
        foreseen.fields = ["title": .text("another")]
        #expect(ana.decoded.row(foreseen).title == "another" && row.title != "another")
    }

    @Test func `a list is one object, however often it is opened, until it is closed`()
        async throws
    {
        let client = try room.client("ana")
        async let one: LiveList<Todo> = client.open("todos", ifMissing: .create)
        async let two: LiveList<Todo> = client.open("todos", ifMissing: .create)
        let (first, second) = try await (one, two)
        #expect(first === second)
        try first.append(Todo(title: "Milk"))
        first.close()
        #expect(first.closeReason?.code == .closed && first.map(\.title) == ["Milk"])
        #expect { try first.append(Todo(title: "Tea")) } throws: {
            ($0 as? ListError)?.code == .closed
        }
        let again = try await client.open("todos", as: Todo.self)
        #expect(again !== first && again.map(\.title) == ["Milk"])
        try await again.append(Todo(title: "Tea")).acknowledged()
    }

    @Test func `more than one mutation holds is sent in parts, and counted as one`() async throws {
        let ana: LiveList<Todo> = try await room.list()
        let bob: LiveList<Todo> = try await room.list(as: "bob")
        let text = String(repeating: "x", count: 10_000)
        let many = try ana.append(contentsOf: (0..<1_100).map { Todo(title: "\($0)") })
        try await many.acknowledged()
        let long = try ana.insert(
            contentsOf: (0..<150).map { Todo(title: "\($0)\(text)") }, at: .first)
        try await long.acknowledged()
        await until { bob.count == 1_250 }
        #expect(bob[149].title?.prefix(3) == "149" && bob[150].title == "0")
        #expect(bob[1_249].title == "1099")
        try await ana.rows.remove(atOffsets: 0..<1_250).acknowledged()
        await until { bob.isEmpty }
        #expect { try ana.append(Todo(title: String(repeating: "x", count: 70_000))) } throws: {
            ($0 as? ListError)?.code == .tooLarge
        }
    }
}
