import ListModel
import Testing

@testable import ListReplica

/// One editor, one look after another, without anything around it.
@Suite("An editor tells the difference between two looks") struct RefreshTests {
    private func element(_ fields: Fields, _ version: UInt64 = 2, by: UserName = "bob") -> Element {
        Element(
            id: "x", fields: fields, version: Version(version), placed: Version(1), by: by,
            at: .zero)
    }

    private func editor(_ policy: Editor.Policy, isInView: Bool? = nil) -> Editor {
        Editor(
            element(["title": "A", "n": 1], 1, by: "ana"), policy: policy, serial: 1,
            birth: .confirmed, isInView: isInView)
    }

    /// A snapshot, in which the row names somebody.
    private func whole(namingIn by: UserName) -> Cause {
        var list = ListState(head: Version(2), title: "", schema: nil)
        _ = list.append([.element(element(["title": "B", "n": 9, "note": "n"], by: by))])
        var authors = Authors()
        authors.note(whole: list, over: ListState(), [], under: ["x"])
        return .remote(by: [:], authors)
    }

    private let deleted = Vanish(.deleted, by: "bob", at: .zero, version: Version(3))

    @Test(arguments: Editor.Policy.allCases)
    func `the same again is no news`(_ policy: Editor.Policy) {
        var editor = editor(policy, isInView: true)
        let same = Look.living(element(["title": "A", "n": 1]))
        #expect(editor.refresh(same, .remote(by: ["x": "bob"]), isInView: true) == [])
    }

    @Test func `live and untouched drafts follow, snapshots do not`() {
        let look = Look.living(element(["title": "B", "n": 1]))
        let changed = EditorEvent.changed(
            old: ["title": "A"], new: ["title": "B"], by: "bob", version: Version(2))
        var (live, draft, snapshot) = (editor(.live), editor(.draft), editor(.snapshot))
        #expect(live.refresh(look, whole(namingIn: "bob"), isInView: nil) == [changed])
        #expect(draft.refresh(look, whole(namingIn: "bob"), isInView: nil) == [changed])
        #expect(snapshot.refresh(look, .remote(by: [:]), isInView: nil) == [])
        #expect(snapshot.value["title"] == "A" && live.value["title"] == "B")
    }

    @Test func `one's own work is followed in silence`() {
        var live = editor(.live)
        #expect(live.refresh(.living(element(["title": "B"])), .own, isInView: nil) == [])
        #expect(live.shown == ["title": "B"])
        var draft = editor(.draft)
        draft.type(["title": "mine"])
        #expect(draft.refresh(.living(element(["title": "B"])), .own, isInView: nil) == [])
        #expect(draft.conflicts.isEmpty && draft.base["title"] == "B")
    }

    @Test func `a touched field conflicts, the others flow in`() {
        var editor = editor(.draft)
        editor.type(["title": "mine"])
        let look = Look.living(element(["title": "his", "n": 2]))
        let events = editor.refresh(look, whole(namingIn: "eve"), isInView: nil)
        #expect(
            events == [
                .changed(old: ["n": 1], new: ["n": 2], by: "eve", version: Version(2)),
                .conflict("title", base: "A", mine: "mine", theirs: "his", by: "eve"),
            ])
        #expect(editor.conflicts == ["title"] && editor.value == ["title": "mine", "n": 2])
        #expect(editor.refresh(look, .remote(by: [:]), isInView: nil) == [])
    }

    @Test(arguments: ["A", "mine"] as [Value])
    func `back at the base, or equal to mine, it is a change`(_ theirs: Value) {
        var editor = editor(.draft)
        editor.type(["title": "mine"])
        _ = editor.refresh(
            .living(element(["title": "his", "n": 1])), .remote(by: [:]), isInView: nil)
        let look = Look.living(element(["title": theirs, "n": 1], 3))
        #expect(
            editor.refresh(look, whole(namingIn: "bob"), isInView: nil) == [
                .changed(
                    old: ["title": "his"], new: ["title": theirs], by: "bob", version: Version(3))
            ])
        #expect(editor.conflicts == [])
    }

    @Test(arguments: Editor.Policy.allCases)
    func `gone is told once, however often it is seen`(_ policy: Editor.Policy) {
        var editor = editor(policy)
        let look = Look.gone(deleted, last: ["title": "Z"])
        #expect(editor.refresh(look, .remote(by: [:]), isInView: nil) == [.vanished(deleted)])
        #expect(editor.refresh(look, .remote(by: [:]), isInView: nil) == [])
        #expect(editor.value["title"] == (policy == .snapshot ? "A" : "Z"))
    }

    @Test func `returned comes first, then what changed meanwhile, then the view`() {
        var editor = editor(.draft, isInView: true)
        editor.type(["title": "mine"])
        let gone = Look.gone(deleted, last: nil)
        _ = editor.refresh(gone, .remote(by: [:]), isInView: true)
        let look = Look.living(element(["title": "his", "n": 2]))
        #expect(
            editor.refresh(look, whole(namingIn: "eve"), isInView: false) == [
                .returned(by: "eve"),
                .changed(old: ["n": 1], new: ["n": 2], by: "eve", version: Version(2)),
                .conflict("title", base: "A", mine: "mine", theirs: "his", by: "eve"),
                .hidden(by: "eve"),
            ])
        #expect(editor.touched == ["title": "mine"])
    }

    @Test(arguments: [
        (Vanish.Cause.deleted, true), (.missing, true), (.accessLost, true), (.listDeleted, false),
        (.rejected(.idTaken), false),
    ])
    func `what can come back, and what cannot`(_ cause: Vanish.Cause, _ returns: Bool) {
        var editor = editor(.live)
        let gone = Look.gone(Vanish(cause), last: nil)
        _ = editor.refresh(gone, .remote(by: [:]), isInView: nil)
        let look = Look.living(element(["title": "A", "n": 1]))
        let events = editor.refresh(look, whole(namingIn: "bob"), isInView: nil)
        // Who gave the right back is not known; it need not be who wrote last.
        let by: UserName? = cause == .accessLost ? nil : "bob"
        #expect(events == (returns ? [.returned(by: by)] : []))
        #expect((editor.vanish == nil) == returns)
    }

    @Test func `a snapshot names its row for what it changes, and nobody for anything else`() {
        func list(_ fields: Fields, by: UserName) -> ListState {
            var list = ListState(head: Version(2), title: "", schema: nil)
            _ = list.append([.element(element(fields, by: by))])
            return list
        }
        var editor = editor(.draft)
        editor.type(["n": 5])
        // Own work lies over what eve wrote, and comes to nothing.
        editor.writers = ["n": "eve"]
        var authors = Authors()
        authors.note(
            whole: list(["title": "B", "n": 2], by: "bob"),
            over: list(["title": "A", "n": 2], by: "eve"), [], under: ["x"])
        let look = Look.living(element(["title": "B", "n": 2], by: "bob"))
        #expect(
            editor.refresh(look, .remote(by: [:], authors), isInView: nil) == [
                .changed(old: ["title": "A"], new: ["title": "B"], by: "bob", version: Version(2)),
                .conflict("n", base: 1, mine: 5, theirs: 2, by: "eve"),
            ])
        // As it was before somebody wrote it.
        let back = Look.living(element(["title": "B", "n": 2, "note": "n"], by: "bob"))
        #expect(
            editor.refresh(back, .remote(by: [:]), isInView: nil) == [
                .changed(old: ["note": .null], new: ["note": "n"], by: nil, version: Version(2))
            ])
    }

    @Test func `missing becomes deleted without a word, once that is known`() {
        var editor = editor(.draft)
        _ = editor.refresh(.gone(Vanish(.missing), last: nil), .remote(by: [:]), isInView: nil)
        let known = Look.gone(deleted, last: ["title": "Z"])
        #expect(editor.refresh(known, .remote(by: [:]), isInView: nil) == [])
        #expect(editor.vanish == deleted && editor.shown == ["title": "Z"])
    }

    @Test func `hidden and shown say which change did it, and alternate`() {
        var editor = editor(.live, isInView: true)
        let look = Look.living(element(["title": "A", "n": 1]))
        let cause = Cause.remote(by: ["x": "eve"])
        #expect(editor.refresh(look, cause, isInView: false) == [.hidden(by: "eve")])
        #expect(editor.refresh(look, cause, isInView: false) == [])
        #expect(editor.refresh(look, cause, isInView: true) == [.shown(by: "eve")])
        #expect(editor.refresh(look, cause, isInView: nil) == [])
    }

    @Test func `its state survives being stored, whatever it is`() throws {
        var editor = editor(.draft)
        editor.type(["title": "mine", "note": .null])
        editor.birth = .pending(MutationNumber(4))
        editor.commit = Editor.Commit(n: MutationNumber(5), mode: .merge, written: ["title": "m"])
        for state in [
            Editor.State.open, .vanished(deleted), .vanished(Vanish(.rejected(.idTaken))),
        ] {
            editor.state = state
            let copy = try #require(Editor(editor.value(of: ())))
            #expect(copy.value(of: ()) == editor.value(of: ()))
            #expect(copy.state == state && copy.commit?.n == editor.commit?.n)
        }
    }
}
