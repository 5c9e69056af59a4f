import ListModel
import Testing

@testable import Samelist

/// Editors on elements that others change, remove and bring back meanwhile.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(4)), .onBothGrounds)
struct EditorTests {
    private let room = Room()

    /// Ana's and bob's copy of a list of a, b and c.
    private func two() async throws -> (ana: LiveList<Todo>, bob: LiveList<Todo>, ids: [ElementID])
    {
        let ana: LiveList<Todo> = try await room.list()
        let bob: LiveList<Todo> = try await room.list(as: "bob")
        let elements = "abc".map { Todo(title: "\($0)") }
        try await ana.append(contentsOf: elements).acknowledged()
        await until { bob.count == 3 }
        return (ana, bob, elements.map(\.id))
    }

    @Test(arguments: [0, 1, 2])
    func `an editor is told once that its element is gone, whichever it is (VA1, VA2)`(_ index: Int)
        async throws
    {
        let (ana, bob, ids) = try await two()
        let editor = try ana.edit(ids[index])
        editor.draft.title += " (urgent)"
        try await bob.remove(ids[index]).acknowledged()
        var events = editor.events.makeAsyncIterator()
        guard case .vanished(let vanished) = await events.next() else {
            Issue.record("the first event is no vanishing")
            return
        }
        let title = ["a", "b", "c"][index]
        #expect(vanished.cause == .deleted && vanished.by?.text == "bob" && vanished.at != nil)
        #expect(vanished.last.title == title && vanished.draft.title == "\(title) (urgent)")
        #expect(vanished.hasDraft && vanished.sentence == "it was removed by bob")
        #expect(editor.draft == vanished.draft && editor.element == vanished.last)
        editor.draft.title = "typed on"
        #expect(editor.lastError?.code == .vanished && editor.draft == vanished.draft)
        do {
            try await editor.commit()
            Issue.record("it was committed")
        } catch {
            #expect(error.by == vanished.by && error.code == .vanished && !error.isTemporary)
            #expect(error.sentence.contains("save it as new") && error.id == ids[index])
        }
        let saved = try await editor.saveAsNew(at: .first)
        #expect(editor.isClosed && ana[0].element == saved && saved.id != ids[index])
        #expect(saved.title == "\(title) (urgent)")
        #expect(await events.next() == nil)
    }

    @Test func `a draft is restored onto its element, which returns where it stood`() async throws {
        let (ana, bob, ids) = try await two()
        let editor = try ana.edit(ids[1])
        editor.draft.title = "B"
        try await bob.remove(ids[1]).acknowledged()
        await until { editor.vanished != nil }
        try await editor.restoreWithDraft()
        #expect(editor.isClosed && ana.map(\.title) == ["a", "B", "c"])
        await until { bob.map(\.title) == ["a", "B", "c"] }
    }

    @Test func `what others change flows in where nothing was typed, and conflicts where it was`()
        async throws
    {
        let (ana, bob, ids) = try await two()
        let editor = try ana.edit(ids[0])
        editor.draft.title = "mine"
        var events = editor.events.makeAsyncIterator()
        try bob.update(ids[0]) { $0.done = true }
        guard case .changed(let change) = await events.next() else { return fail() }
        #expect(change.new["done"] == .bool(true) && change.by?.text == "bob")
        #expect(change.element.done && change.element.title == "mine" && editor.draft.done)
        try bob.update(ids[0]) { $0.title = "theirs" }
        guard case .conflict(let conflict) = await events.next() else { return fail() }
        #expect(conflict.field.text == "title" && conflict.base == .text("a"))
        #expect(conflict.mine == .text("mine") && conflict.theirs == .text("theirs"))
        #expect(editor.conflicts.map(\.text) == ["title"])
        do {
            try await editor.commit()
            return fail()
        } catch {
            let conflict = try #require(editor.conflict)
            let (base, mine, theirs) = (conflict.base, conflict.mine, conflict.theirs)
            #expect(base.title == "a" && mine.title == "mine" && theirs.title == "theirs")
            #expect(base.done && mine.done && theirs.done)
            #expect(conflict.fields.map(\.text) == ["title"] && error.fields == conflict.fields)
            #expect(error.code == .conflict)
        }
        #expect(!editor.isClosed && editor.draft.title == "mine")
        try await editor.commit(.overwrite)
        #expect(editor.isClosed && ana[0].title == "mine")
        #expect(await events.next() == nil)
    }

    @Test func `texts are merged by words`() async throws {
        let (ana, bob, ids) = try await two()
        try await ana.update(ids[0]) { $0.title = "Order cable" }.acknowledged()
        let editor = try ana.edit(ids[0])
        editor.draft.title = "Order 2 cable"
        try await bob.update(ids[0]) { $0.title = "Order cable today" }.acknowledged()
        await until { !editor.conflicts.isEmpty }
        try await editor.commit(.merge)
        #expect(ana[0].title == "Order 2 cable today")
    }

    @Test func `a commit made offline is never told as saved once its element is gone (VA3, VA11)`()
        async throws
    {
        let (ana, bob, ids) = try await two()
        let editor = try ana.edit(ids[1])
        editor.draft.title = "B"
        ana.list.client.goOffline()
        let commit = Task { () async -> ListError? in
            do throws(ListError) { try await editor.commit() } catch { return error }
            return nil
        }
        await until { editor.isCommitting }
        try await bob.remove(ids[1]).acknowledged()
        ana.list.client.goOnline()
        #expect(await commit.value?.code == .vanished)
        let vanished = try #require(editor.vanished)
        #expect(vanished.by?.text == "bob" && vanished.draft.title == "B")
        #expect(!editor.isClosed && editor.hasDraft && ana.map(\.title) == ["a", "c"])
        try await ana.append(Todo(title: "d")).acknowledged()
        #expect(bob.index(id: ids[1]) == nil)
    }

    @Test func `one's own removal tells the editor, too (VA10)`() async throws {
        let (ana, _, ids) = try await two()
        let editor = try ana.edit(ids[0])
        try ana.remove(ids[0])
        #expect(editor.vanished?.by?.text == "ana")
        #expect { try editor.update { $0.title = "x" } } throws: {
            if case ListError.Code.vanished = $0 { true } else { false }
        }
        try ana.undo()
        #expect(editor.vanished == nil)
        try editor.update { $0.title = "x" }
        #expect(editor.draft.title == "x" && ana[0].title == "a")
    }

    @Test func `an element that is gone answers edit with who removed it`() async throws {
        let (ana, bob, ids) = try await two()
        try await bob.remove(ids[0]).acknowledged()
        await until { ana.count == 2 }
        let error = try #require(throws: ListError.self) { try ana.edit(ids[0]) }
        #expect(error.code == .removed && error.by?.text == "bob")
        #expect { try ana.edit(ElementID.new()) } throws: {
            ($0 as? ListError)?.code == .noSuchElement
        }
    }

    @Test func `live editors write through and follow, snapshots stay`() async throws {
        let (ana, bob, ids) = try await two()
        let live = try ana.edit(ids[0], policy: .live)
        let snapshot = try ana.edit(ids[1], policy: .snapshot)
        live.draft.title = String(repeating: "x", count: 70_000)
        #expect(live.lastError?.code == .tooLarge && ana.lastError == nil, "it is told once")
        live.draft.title = "A"
        #expect(ana[0].title == "A" && live.lastError == nil)
        await until { bob[0].title == "A" }
        try await bob.update(ids[0]) { $0.title = "AA" }.acknowledged()
        try await bob.update(ids[1]) { $0.title = "BB" }.acknowledged()
        await until { live.draft.title == "AA" && ana[1].title == "BB" }
        #expect(snapshot.element.title == "b")
        snapshot.draft.title = "x"
        #expect(snapshot.lastError?.code == .readOnly && snapshot.draft.title == "b")
        try await bob.remove(ids[1]).acknowledged()
        await until { snapshot.vanished != nil }
        #expect(snapshot.vanished?.last.title == "b")
    }

    @Test func `what to do on vanishing may be left to a rule`() async throws {
        let (ana, bob, ids) = try await two()
        let notified = try ana.edit(ids[0], onVanish: .notify)
        let dismissed = try ana.edit(ids[1], onVanish: .dismiss)
        let kept = try ana.edit(ids[2], onVanish: .keepDraft)
        dismissed.draft.title = "dropped"
        kept.draft.title = "kept"
        try await bob.rows.remove(atOffsets: 0..<3).acknowledged()
        await until { dismissed.isClosed }
        #expect(!notified.isClosed && !kept.isClosed && kept.draft.title == "kept")
        var told = 0
        for await event in dismissed.events { if case .vanished = event { told += 1 } }
        #expect(told == 1)
    }

    @Test func `a draft outlives its editor, anything else does not`() async throws {
        let (ana, bob, ids) = try await two()
        var one: Editor<Todo>? = try ana.edit(ids[0])
        var two: Editor<Todo>? = try ana.edit(ids[1])
        one?.draft.title = "kept"
        weak let first = one
        weak let second = two
        _ = two?.draft
        one = nil
        two = nil
        #expect(first == nil && second == nil)
        #expect(ana.keptDrafts == [ids[0]])
        #expect(ana.list.replica.editors.keys.sorted() == [ids[0]])
        let again = try ana.edit(ids[0])
        #expect(again.draft.title == "kept" && ana.keptDrafts.isEmpty)
        again.close()
        #expect(again.isClosed && ana.keptDrafts == [ids[0]])
        try await bob.remove(ids[0]).acknowledged()
        await until { ana.count == 2 }
        let gone = try ana.edit(ids[0])
        #expect(gone.vanished?.by?.text == "bob" && gone.draft.title == "kept")
        var events = gone.events.makeAsyncIterator()
        guard case .vanished(let vanished) = await events.next() else { return fail() }
        #expect(vanished.by?.text == "bob" && vanished.draft.title == "kept")
        gone.close()
        #expect(await events.next() == nil, "it is told once")
        let kept = try ana.edit(ids[0], onVanish: .keepDraft)
        #expect(!kept.isClosed)
        let dismissed = try ana.edit(ids[0], onVanish: .dismiss)
        #expect(dismissed.closeReason == .closed, "what another types on is not dropped")
        kept.close()
        #expect(try ana.edit(ids[0], onVanish: .dismiss).closeReason == .discarded)
        #expect(ana.keptDrafts.isEmpty)
    }

    @Test func `opened and closed in one tick, a thousand times while the list changes (VA13)`()
        async throws
    {
        let (ana, bob, ids) = try await two()
        final class Watch {
            weak var editor: Editor<Todo>?
            init(_ editor: Editor<Todo>) { self.editor = editor }
        }
        var watches: [Watch] = []
        var late = 0
        for round in 0..<1_000 {
            if round.isMultiple(of: 100) { try bob.update(ids[0]) { $0.title = "\(round)" } }
            let editor = try ana.edit(ids[0])
            _ = editor.draft
            let events = editor.events
            if round.isMultiple(of: 2) { editor.discard() }
            if round.isMultiple(of: 5) {
                let task = Task { for await _ in events where editor.isClosed { late += 1 } }
                editor.close()
                await task.value
            }
            watches.append(Watch(editor))
        }
        try await bob.update(ids[0]) { $0.title = "end" }.acknowledged()
        await until { ana[0].title == "end" }
        #expect(watches.allSatisfy { $0.editor == nil } && late == 0)
        #expect(ana.list.replica.editors.isEmpty && ana.list.drafting.isEmpty)
    }

    @Test func `undo and redo bind no editor to what is not there (VA15)`() async throws {
        let (ana, _, _) = try await two()
        let x = try ana.append(Todo(title: "x"))
        let editor = try ana.edit(x.id)
        try ana.remove(x.id)
        for _ in 0..<2 {
            #expect(editor.vanished != nil)
            try ana.undo()
            #expect(editor.vanished == nil && editor.element.title == "x")
            try ana.redo()
        }
        try ana.undo()
        try ana.undo()
        #expect(editor.vanished != nil && ana.count == 3 && editor.element.title == "x")
    }

    @Test func `who else edits is told`() async throws {
        let (ana, bob, ids) = try await two()
        let mine = try ana.edit(ids[0])
        let theirs = try bob.edit(ids[0])
        await until { mine.others.map(\.text) == ["bob"] && theirs.others.map(\.text) == ["ana"] }
        await #expect {
            try await ana.remove(ids[0], unlessEdited: true).acknowledged()
        } throws: {
            ($0 as? ListError)?.code == .beingEdited
        }
        theirs.discard()
        await until { mine.others.isEmpty }
    }

    @Test func `a list deleted under an editor leaves the draft readable`() async throws {
        let (ana, bob, ids) = try await two()
        let editor = try ana.edit(ids[0])
        editor.draft.title = "mine"
        try await bob.list.client.delete("todos")
        await until { ana.closeReason != nil }
        #expect(editor.draft.title == "mine" && editor.vanished?.cause == .listDeleted)
        #expect(editor.vanished?.by?.text == "bob")
    }

    private func fail(_ why: String = "another event or error was due") { Issue.record("\(why)") }
}
