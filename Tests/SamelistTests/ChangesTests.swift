import ListModel
import Testing

@testable import ListReplica
@testable import Samelist

/// Following a list in a task.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(4)), .onBothGrounds)
struct ChangesTests {
    private let room = Room()

    /// A reader that keeps a copy of the rows by what it is told.
    @MainActor
    private final class Copy {
        var iterator: ListChanges<Todo>.AsyncIterator
        var rows: [Row<Todo>] = []
        var told: [ListChange<Todo>] = []
        var end: ListError?

        init(_ changes: ListChanges<Todo>) { iterator = changes.makeAsyncIterator() }

        /// Reads one more; false: nothing more comes.
        func read() async -> Bool {
            var iterator = iterator
            guard let change = await iterator.next() else { return false }
            self.iterator = iterator
            told.append(change)
            switch change {
            case .initial(let rows): self.rows = rows
            case .update(let difference, _, _): difference.apply(to: &rows)
            case .closed(let error): end = error
            }
            return true
        }

        var titles: String { rows.compactMap(\.title).joined() }
    }

    @Test func `first all rows, then each change with its author`() async throws {
        let ana: LiveList<Todo> = try await room.list()
        let bob: LiveList<Todo> = try await room.list(as: "bob")
        try await ana.append(contentsOf: "abc".map { Todo(title: "\($0)") }).acknowledged()
        let copy = Copy(ana.changes)
        #expect(await copy.read())
        #expect(copy.titles == "abc")
        await until { bob.count == 3 }
        let a = try #require(bob[0].element)
        try await bob.update(a.id) { $0.title = "A" }.acknowledged()
        #expect(await copy.read())
        guard case .update(let difference, let by, let version) = copy.told.last else {
            Issue.record("no update")
            return
        }
        #expect(by.map(\.text) == ["bob"] && version == Version(2))
        #expect(difference.updated.map(\.title) == ["A"] && difference.inserted.isEmpty)
        guard case .update(_, let was, 0) = difference.steps.first else {
            Issue.record("no step")
            return
        }
        #expect(was.title == "a")
        try ana.rows.move(fromOffsets: [0], toOffset: 3)
        #expect(await copy.read())
        #expect(copy.titles == "bcA")
        try await bob.remove(a.id).acknowledged()
        #expect(await copy.read())
        guard case .update(let removal, let remover, _) = copy.told.last else { return }
        #expect(removal.removed.map(\.title) == ["A"] && remover.map(\.text) == ["bob"])
        #expect(copy.titles == "bc")
    }

    @Test func `who reads slowly gets many changes as one, and ends where the list is`()
        async throws
    {
        let ana: LiveList<Todo> = try await room.list()
        let quick = Copy(ana.changes)
        let slow = Copy(ana.changes)
        _ = await quick.read()
        _ = await slow.read()
        var random = SystemRandomNumberGenerator()
        for step in 0..<600 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                try ana.rows.insert(Todo(title: "\(step) "), at: Int.random(in: 0...ana.count))
            case 2 where !ana.isEmpty:
                try ana.rows.move(
                    fromOffsets: [Int.random(in: 0..<ana.count)],
                    toOffset: Int.random(in: 0...ana.count))
            default:
                if !ana.isEmpty { try ana.rows.remove(atOffsets: [Int.random(in: 0..<ana.count)]) }
            }
            if step.isMultiple(of: 3) {
                while quick.rows.map(\.id) != ana.map(\.id) { #expect(await quick.read()) }
            }
        }
        _ = await slow.read()
        #expect(slow.told.count == 2 && slow.rows.map(\.id) == ana.map(\.id))
    }

    @Test func `after a resynchronisation only the difference is told`() async throws {
        let ana: LiveList<Todo> = try await room.list()
        let bob: LiveList<Todo> = try await room.list(as: "bob")
        try await ana.append(contentsOf: "abcdef".map { Todo(title: "\($0)") }).acknowledged()
        await until { bob.count == 6 }
        let copy = Copy(ana.changes)
        _ = await copy.read()
        ana.list.client.goOffline()
        try await bob.rows.remove(atOffsets: [1]).acknowledged()
        try await bob.rows.move(fromOffsets: [4], toOffset: 0).acknowledged()
        try await bob.update(try #require(bob[1].element?.id)) { $0.title = "A" }.acknowledged()
        // A reload fetches the whole list, so nobody says what changed.
        ana.list.replica.wantsWhole = true
        ana.list.client.goOnline()
        while copy.titles != "fAcde" { #expect(await copy.read()) }
        let steps = copy.told.dropFirst().flatMap { change in
            if case .update(let difference, _, _) = change { difference.steps } else { [] }
        }
        #expect(steps.count == 3)
        let after = copy.told.count
        ana.list.client.perform { core, now in core.reload(ana.list.name, at: now) }
        try await bob.append(Todo(title: "g")).acknowledged()
        while copy.titles != "fAcdeg" { #expect(await copy.read()) }
        #expect(copy.told.count == after + 1, "a reload that changes nothing tells nothing")
    }

    @Test func `a cancelled reader ends at once, the others go on`() async throws {
        let ana: LiveList<Todo> = try await room.list()
        let changes = ana.changes
        let task = Task {
            var count = 0
            for await _ in changes { count += 1 }
            return count
        }
        let other = Copy(ana.changes)
        _ = await other.read()
        // The main actor takes its tasks in turn: by now the reader has read, and waits.
        await Task { @MainActor in }.value
        task.cancel()
        #expect(await task.value == 1)
        try ana.append(Todo(title: "a"))
        #expect(await other.read())
        #expect(other.titles == "a")
    }

    @Test func `the end is told with its reason, to each reader once`() async throws {
        let ana: LiveList<Todo> = try await room.list()
        try await ana.append(Todo(title: "a")).acknowledged()
        let one = Copy(ana.changes)
        _ = await one.read()
        let late = Copy(ana.changes)
        ana.close()
        #expect(await one.read())
        #expect(one.end?.code == .closed)
        #expect(await one.read() == false)
        #expect(await late.read())
        #expect(late.titles == "a")
        #expect(await late.read())
        #expect(late.end?.code == .closed)
        #expect(await late.read() == false)
    }

    @Test func `a list deleted by another ends with who did it`() async throws {
        let ana: LiveList<Todo> = try await room.list()
        let bob = try room.client("bob")
        try await ana.append(Todo(title: "a")).acknowledged()
        let copy = Copy(ana.changes)
        _ = await copy.read()
        try await bob.delete("todos")
        while copy.end == nil { #expect(await copy.read()) }
        #expect(copy.end?.code == .listDeleted && copy.end?.sentence.contains("bob") == true)
        #expect(copy.rows.isEmpty && ana.isEmpty && ana.closeReason?.code == .listDeleted)
        #expect { try ana.append(Todo(title: "b")) } throws: {
            ($0 as? ListError)?.code == .listDeleted
        }
    }

    @Test func `a removal of a thousand and an insertion of a thousand, as one (OR7)`()
        async throws
    {
        let ana: LiveList<Todo> = try await room.list()
        try await ana.append(contentsOf: (0..<1_000).map { Todo(title: "\($0) ") })
            .acknowledged()
        let copy = Copy(ana.changes)
        _ = await copy.read()
        try ana.rows.remove(atOffsets: 0..<1_000)
        try ana.append(contentsOf: (0..<1_000).map { Todo(title: "\($0)+") })
        _ = await copy.read()
        #expect(copy.rows.map(\.id) == ana.map(\.id))
        try await ana.append(Todo(title: "last")).acknowledged()
        while copy.rows.last?.title != "last" { _ = await copy.read() }
        #expect(copy.rows.map(\.id) == ana.map(\.id))
    }
}
