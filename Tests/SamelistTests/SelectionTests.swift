import Testing

@testable import Samelist

/// What the user does is done to the row that was selected, or to none.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(4)), .onBothGrounds)
struct SelectionTests {
    private let room = Room()

    private func screens() async throws -> (EditableList<Todo>, LiveList<Todo>) {
        let ana: LiveList<Todo> = try await room.list()
        let bob: LiveList<Todo> = try await room.list(as: "bob")
        try await ana.append(contentsOf: "abcd".map { Todo(title: "\($0)") }).acknowledged()
        await until { bob.count == 4 }
        return (EditableList(ana), bob)
    }

    private func titles(_ screen: EditableList<Todo>) -> String {
        screen.compactMap(\.title).joined()
    }

    private func select(_ title: String, _ screen: EditableList<Todo>) throws -> ElementID {
        let id = try #require(screen.first { $0.title == title }?.element?.id)
        screen.select(id)
        return id
    }

    @Test(arguments: ["remove", "change", "edit", "move"])
    func `what is meant for a row that is gone is done to no other (VA14)`(_ verb: String)
        async throws
    {
        let (screen, bob) = try await screens()
        let b = try select("b", screen)
        try await bob.remove(b).acknowledged()
        await until { screen.count == 3 }
        switch verb {
        case "remove": screen.remove()
        case "change": screen.change { $0.done = true }
        case "edit": screen.edit()
        default: screen.move(by: 1)
        }
        #expect(titles(screen) == "acd" && screen.editor == nil)
        #expect(!screen.contains { $0.done == true })
        #expect(
            screen.notices.map(\.sentence) == ["\"b\" was removed by bob; select another row"])
        #expect(screen.selection?.title == "c")
        screen.remove()
        #expect(titles(screen) == "ad", "once it was seen selected, it is")
    }

    @Test func `the row that is selected instead is the neighbour, and stays it`() async throws {
        let (screen, bob) = try await screens()
        let b = try select("b", screen)
        try await bob.insert(contentsOf: "xyz".map { Todo(title: "\($0)") }, at: .first)
            .acknowledged()
        try await bob.remove(b).acknowledged()
        await until { screen.count == 6 }
        #expect(screen.selection?.title == "c")
        try await bob.insert(Todo(title: "w"), at: .first).acknowledged()
        await until { screen.count == 7 }
        #expect(screen.selection?.title == "c")
        screen.remove()
        #expect(titles(screen) == "wxyzad")
        screen.remove()
        #expect(titles(screen) == "wxyza", "the user's own verb moved the cursor")
    }

    @Test func `a row that the filter hides is not taken for another`() async throws {
        let (screen, bob) = try await screens()
        screen.view = screen.list.view(where: { !$0.done })
        let b = try select("b", screen)
        try await bob.update(b) { $0.done = true }.acknowledged()
        await until { screen.count == 3 }
        screen.remove()
        #expect(screen.notices.map(\.sentence) == ["\"b\" is no longer among these rows."])
        #expect(titles(screen) == "acd" && screen.list.count == 4)
    }

    @Test func `what is added stands where the selected row was`() async throws {
        let (screen, bob) = try await screens()
        let b = try select("b", screen)
        try await bob.remove(b).acknowledged()
        await until { screen.count == 3 }
        screen.add(Todo(title: "x"))
        #expect(titles(screen) == "axcd" && screen.selection?.title == "x")
    }

    @Test func `a deleted list is said to be deleted`() async throws {
        let (screen, bob) = try await screens()
        _ = try select("b", screen)
        screen.edit()
        screen.editor?.draft.title = "typed"
        try await bob.client.delete("todos")
        await until { screen.list.closeReason != nil }
        #expect(
            screen.notices.map(\.sentence) == [
                "\"b\" can no longer be edited: its list was deleted by bob."
            ])
        guard case .vanished(let vanished)? = screen.notices.first?.kind else {
            Issue.record("no notice")
            return
        }
        #expect(vanished.cause == .listDeleted && vanished.draft.title == "typed")
        #expect(screen.editor == nil)
        await screen.saveAsNew()
        screen.remove()
        let codes = screen.notices.dropFirst().map { notice in
            if case .refused(let error) = notice.kind { error.code.rawValue } else { "" }
        }
        #expect(codes == ["list_deleted", "list_deleted"])
    }
}
