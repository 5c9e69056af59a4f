import Foundation
import ListModel
import Testing

@testable import Samelist

/// Filtered and sorted rows, alive.
@MainActor
@Suite(.timeLimit(.minutes(4)))
struct LiveViewTests {
    private let room = Room()

    private func titles(_ rows: some Sequence<Row<Todo>>) -> String {
        rows.compactMap(\.title).joined()
    }

    @Test func `several views of one list, each with its own rows (OR6)`() async throws {
        let ana: LiveList<Todo> = try await room.list()
        let all = ana.view()
        let open = ana.view(where: { !$0.done })
        let mine = ana.view(
            where: #Predicate { $0.owner == "ana" && !$0.done },
            sortedBy: [KeyPathComparator(\.count), KeyPathComparator(\.title, order: .reverse)])
        let backwards = ana.view(sortedBy: { $0.title > $1.title })
        let alike = [
            ana.view(
                where: #Predicate { $0.owner == "ana" && !$0.done },
                sortedBy: { ($0.count, $1.title) < ($1.count, $0.title) }),
            ana.view(
                where: #Predicate { $0.owner == "ana" && !$0.done },
                sortedBy: KeyPathComparator(\.title, order: .reverse)),
            ana.view(
                where: { $0.owner == "ana" && !$0.done },
                sortedBy: KeyPathComparator(\.title, order: .reverse)),
        ]
        for (index, letter) in "badce".enumerated() {
            try ana.append(
                Todo(
                    title: "\(letter)", done: letter == "d", owner: index > 1 ? "ana" : nil,
                    count: index % 2))
        }
        #expect(titles(all) == "badce" && titles(open) == "bace")
        #expect(titles(mine) == "ec" && titles(backwards) == "edcba")
        #expect(alike.map { titles($0) } == ["ec", "ec", "ec"])
        let d = try #require(ana[2].element?.id)
        try ana.update(d) { $0.done = false }
        #expect(titles(open) == "badce" && titles(mine) == "edc")
        try ana.rows.move(fromOffsets: [0], toOffset: 5)
        #expect(titles(all) == "adceb" && titles(open) == "adceb" && titles(backwards) == "edcba")
        try ana.remove(d)
        #expect(titles(mine) == "ec" && mine.index(id: d) == nil && !mine.contains(id: d))
        #expect(mine[id: try #require(ana[1].element?.id)]?.title == "c")
    }

    @Test func `offsets are those of the view, and what its user saw`() async throws {
        let ana: LiveList<Todo> = try await room.list()
        let bob: LiveList<Todo> = try await room.list(as: "bob")
        try ana.append(contentsOf: "aBcDe".map { Todo(title: "\($0)", done: $0.isUppercase) })
        let open = ana.view(where: { !$0.done })
        #expect(titles(open) == "ace")
        try open.rows.move(fromOffsets: [2], toOffset: 0)
        #expect(titles(open) == "eac" && titles(ana) == "eaBcD")
        try open.rows.move(fromOffsets: [0], toOffset: 3)
        #expect(titles(open) == "ace")
        let seen = open.rows
        await until { bob.count == 5 && titles(bob) == titles(ana) }
        try await bob.insert(Todo(title: "x"), at: .first).acknowledged()
        await until { open.count == 4 }
        try seen.remove(atOffsets: [1])
        #expect(titles(open) == "xae" && ana.count == 5)
        try open.rows.remove(atOffsets: [0])
        #expect(titles(open) == "ae")
    }

    @Test func `a pinned row stays under its editor; another is told that it left`() async throws {
        let ana: LiveList<Todo> = try await room.list()
        let bob: LiveList<Todo> = try await room.list(as: "bob")
        try ana.append(contentsOf: "ab".map { Todo(title: "\($0)") })
        let pinning = ana.view(where: { !$0.done }, pinning: true)
        let plain = ana.view(where: { !$0.done })
        let (a, b) = (try #require(ana[0].element?.id), try #require(ana[1].element?.id))
        let stays = try pinning.edit(a)
        let leaves = try plain.edit(b)
        await until { bob.count == 2 }
        for id in [a, b] { try await bob.update(id) { $0.done = true }.acknowledged() }
        await until { ana.allSatisfy { $0.done == true } }
        #expect(titles(pinning) == "a" && titles(plain).isEmpty && pinning.isPinned(a))
        var events = leaves.events.makeAsyncIterator()
        var kinds: [String] = []
        while kinds.last != "hidden", let event = await events.next() {
            switch event {
            case .changed: kinds.append("changed")
            case .hidden(let by): kinds.append(by?.text == "bob" ? "hidden" : "hidden by another")
            default: kinds.append("\(event)")
            }
        }
        #expect(kinds == ["changed", "hidden"])
        leaves.draft.title = "still here"
        try await leaves.commit()
        #expect(ana[id: b]?.title == "still here")
        stays.discard()
        #expect(pinning.isEmpty)
    }

    @Test func `a view tells its changes as its own rows`() async throws {
        let ana: LiveList<Todo> = try await room.list()
        try ana.append(contentsOf: "dab".map { Todo(title: "\($0)") })
        var rows: [Row<Todo>] = []
        let view = ana.view(where: { !$0.done }, sortedBy: { $0.title < $1.title })
        var changes = view.changes.makeAsyncIterator()
        func read() async {
            switch await changes.next() {
            case .initial(let initial): rows = initial
            case .update(let difference, _, _): difference.apply(to: &rows)
            default: Issue.record("the end")
            }
        }
        await read()
        #expect(titles(rows) == "abd")
        let a = try #require(view[0].element?.id)
        try ana.update(a) { $0.title = "c" }
        await read()
        #expect(titles(rows) == "bcd")
        try ana.update(a) { $0.done = true }
        try ana.append(Todo(title: "e"))
        await read()
        #expect(titles(rows) == "bde" && rows.map(\.id) == view.map(\.id))
    }

    @Test func `a view that nobody holds is no longer kept up to date`() async throws {
        let ana: LiveList<Todo> = try await room.list()
        try ana.append(Todo(title: "a"))
        var asked = 0
        var view: LiveView<Todo>? = ana.view(where: { _ in
            asked += 1
            return true
        })
        #expect(view?.count == 1 && ana.list.replica.views.count == 1)
        view = nil
        asked = 0
        try ana.append(Todo(title: "b"))
        #expect(asked == 0 && ana.list.replica.views.isEmpty)
    }

    @Test func `a change asks the filter once, compares log n times and decodes one element`()
        async throws
    {
        let client = try room.client("ana")
        let list = try await client.open("todos", as: Todo.self, ifMissing: .create)
        client.goOffline()
        let count = 1_000
        try list.append(contentsOf: (0..<count).map { Todo(title: "\($0 &* 7_919 % 10_007)") })
        var asked = 0
        var compared = 0
        let view = list.view(
            where: { _ in
                asked += 1
                return true
            },
            sortedBy: {
                compared += 1
                return $0.title < $1.title
            })
        #expect(view.count == count && asked == count)
        let sorted = list.decoded.decodings
        #expect(list.view(sortedBy: KeyPathComparator(\.title)).count == count)
        #expect(list.decoded.decodings == sorted && sorted == count, "no comparison decodes")
        var reader = list.changes.makeAsyncIterator()
        _ = await reader.next()
        let decoded = list.decoded.decodings
        for step in 0..<100 {
            (asked, compared) = (0, 0)
            let id = try #require(list[step * 9].element?.id)
            switch step % 4 {
            case 0: try list.update(id) { $0.title = "\(step)" }
            case 1: try list.remove(id)
            case 2: try list.move(id, to: .first)
            default: try list.append(Todo(title: "new \(step)"))
            }
            // Two questions a comparison: which of the two stands first, or neither.
            #expect(asked <= 1 && compared <= 2 * 11, "step \(step)")
        }
        #expect(list.decoded.decodings - decoded <= 200)
        guard case .update(let difference, _, _) = await reader.next() else { return }
        #expect((70...130).contains(difference.steps.count))
        #expect(view.count == list.count)
    }
}
