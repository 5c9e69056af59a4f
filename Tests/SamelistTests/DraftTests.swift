import ListModel
import Testing

@testable import Samelist

/// What is typed is not lost, and what stands against it is said as it is.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(4)), .onBothGrounds)
struct DraftTests {
    private let room = Room()

    private struct Task: ListElement {
        enum Mode: String, Codable { case slow, fast }
        var id = ElementID.new()
        var title: String
        var mode = Mode.slow
        var owner: String?
    }

    @Test func `what was typed shows, though another program wrote what the type does not know`()
        async throws
    {
        let ana: LiveList<Task> = try await room.list()
        let bob: LiveList<Record> = try await room.list(as: "bob")
        let id = try ana.append(Task(title: "old", owner: "eve")).id
        let editor = try ana.edit(id)
        editor.draft.title = "typed"
        await until { bob.count == 1 }
        try await bob.update(id) {
            $0["mode"] = .text("reckless")
            $0["owner"] = nil
        }.acknowledged()
        await until { ana[0].element == nil }
        #expect(editor.draft.title == "typed" && editor.draft.mode == .slow)
        #expect(editor.draft.owner == nil && editor.element.owner == nil, "what can be read is")
        #expect(editor.element.title == "old")
        editor.draft.title += "!"
        #expect(editor.draft.title == "typed!")
        try await editor.commit()
        await until { bob[0].element?.title == "typed!" }
        #expect(bob[0].element?["mode"] == .text("reckless"), "and what cannot be stays")
    }

    @Test func `what stands against saving as new is said, not that the element is gone`()
        async throws
    {
        let ana: LiveList<Todo> = try await room.list()
        let bob: LiveList<Todo> = try await room.list(as: "bob")
        let first = try ana.append(Todo(title: "a"))
        let second = try ana.append(Todo(title: "b"))
        let editor = try ana.edit(first.id)
        editor.draft.title = "typed"
        await until { bob.count == 2 }
        try await bob.remove(first.id).acknowledged()
        await until { editor.vanished != nil }
        let saves: [(ElementID?, ListPosition<ElementID>?, ListError.Code)] = [
            (second.id, nil, .idTaken), (nil, .after(.new()), .noSuchPlace),
        ]
        for (id, position, code) in saves {
            do {
                try await editor.saveAsNew(id: id, at: position)
                Issue.record("it was saved")
            } catch {
                #expect(error.code == code)
            }
        }
        #expect(editor.vanished != nil && editor.draft.title == "typed")
        #expect(try await editor.saveAsNew().title == "typed")
    }

    @Test func `a live editor writes no more than may wait, either`() async throws {
        let ana: LiveList<Todo> = try await room.list()
        let id = try ana.append(Todo(title: "a")).id
        let editor = try ana.edit(id, policy: .live)
        ana.list.client.goOffline()
        ana.list.limits.pending = ana.pendingCount + 1
        try editor.update { $0.title = "b" }
        do {
            try editor.update { $0.title = "c" }
            Issue.record("it was taken")
        } catch {
            #expect(error.code == .queueFull)
        }
        #expect(ana[id: id]?.title == "b")
        editor.draft.title = "d"
        #expect(editor.lastError?.code == .queueFull && ana.pendingCount == ana.list.limits.pending)
    }

    private struct Crew: ListElement {
        struct Member: Codable { var name: String }
        var id = ElementID.new()
        var members: [Member] = []
        var counts: [String: Int] = [:]

        static var defaults: Crew? { Crew() }
    }

    @Test func `what the type does not know stays, in the items of arrays, too`() async throws {
        let ana: LiveList<Crew> = try await room.list()
        let raw: LiveList<Record> = try await ana.client.open("todos")
        let items = ["a", "b", "c"].map { Value.object(["name": .text($0), "age": .int(7)]) }
        let id = try raw.append(Record(["members": .array(items)])).id
        try ana.update(id) { crew in
            crew.members[1].name = "B"
            crew.members.remove(at: 0)
            crew.members.append(Crew.Member(name: "d"))
        }
        let names = raw[id: id]?["members"]
        guard case .array(let members)? = names else {
            Issue.record("no members")
            return
        }
        #expect(members.last == .object(["name": .text("d")]))
        #expect(members.contains(items[2]) && members.count == 3)
        #expect(members[0] == .object(["name": .text("B"), "age": .int(7)]))
    }

    @Test func `counting in what is no number is said to be that`() async throws {
        let ana: LiveList<Crew> = try await room.list()
        let id = try ana.append(Crew(counts: ["a": 1])).id
        do {
            try ana.increment(id, \.counts["a"])
            Issue.record("it was counted")
        } catch {
            #expect(error.code == .notANumber)
        }
    }

    @Test func `a client that was stopped says so`() async throws {
        let ana: LiveList<Todo> = try await room.list()
        ana.client.stop()
        guard case .refused(let error) = ana.connection else {
            Issue.record("\(ana.connection)")
            return
        }
        #expect(error.code == .closed)
    }

    @Test func `a closure that throws changes nothing`() async throws {
        struct Stop: Error {}
        let ana: LiveList<Todo> = try await room.list()
        let id = try ana.append(Todo(title: "a")).id
        let editor = try ana.edit(id)
        #expect(throws: Stop.self) {
            try ana.update(id) {
                $0.title = "b"
                throw Stop()
            }
        }
        #expect(throws: Stop.self) {
            try editor.update {
                $0.title = "b"
                throw Stop()
            }
        }
        #expect(ana[id: id]?.title == "a" && !editor.hasDraft)
    }
}
