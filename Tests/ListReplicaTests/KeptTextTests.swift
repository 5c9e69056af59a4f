import ListModel
import PairHarness
import Testing

@testable import ListReplica

@Suite("Text that comes too late, or too early, is kept") struct KeptTextTests {
    private func keep(
        _ fields: Fields, over seen: Fields? = nil, by person: Person, in id: ElementID
    ) throws {
        try person.node.perform { core, now in
            try core.keep(fields, over: seen, in: id, of: person.list, at: now)
        }
    }

    private func jot(_ text: String, by person: Person) {
        person.node.perform { core, now in core.jot(text, in: person.list, at: now) }
    }

    @Test func `keys on their way when the element went join its draft, across a crash too`() throws
    {
        let world = World()
        let people = try world.people("bob", "ana", with: ["a", "b"])
        let (bob, ana) = (people[0], people[1])
        try ana.edit("a")
        try ana.type(["title": "half"], into: "a")
        bob.delete("a")
        try world.runUntilQuiet()
        #expect(throws: EditorFault.self) { try ana.type(["title": "half a"], into: "a") }
        try keep(["title": "half a text"], by: ana, in: "a")
        try world.runUntilQuiet()
        ana.node.kill()
        ana.node.start()
        try world.runUntilQuiet()
        #expect(ana.editor("a")?.vanish?.by == bob.node.user)
        #expect(ana.editor("a")?.touched == ["title": "half a text"])
    }

    @Test func `what was written elsewhere conflicts with what others wrote meanwhile`() throws {
        let world = World()
        let people = try world.people("bob", "ana", with: ["a"])
        let (bob, ana) = (people[0], people[1])
        let seen = try ana.edit("a").value
        bob.set("a", ["title": "his"])
        try world.runUntilQuiet()
        try keep(["title": "hers"], over: seen, by: ana, in: "a")
        #expect(ana.editor("a")?.conflicts == [.title])
        #expect(throws: EditorFault.conflict([.title])) { try ana.commit("a") }
        try ana.commit("a", .overwrite)
        try world.runUntilQuiet()
        #expect(bob.fields("a")?[.title] == "hers")
    }

    @Test func `only drafts take it, and none whose commit is on its way`() throws {
        let world = World()
        let ana = try world.people("ana", with: ["a", "b"])[0]
        #expect(throws: EditorFault.notOpen) { try keep(["title": "x"], by: ana, in: "a") }
        try ana.edit("a", .live)
        #expect(throws: EditorFault.readOnly) { try keep(["title": "x"], by: ana, in: "a") }
        try ana.edit("b")
        try keep(["title": "x"], by: ana, in: "b")
        try ana.commit("b")
        #expect(throws: EditorFault.committing) { try keep(["title": "y"], by: ana, in: "b") }
    }

    @Test func `a note for an element that is still to come outlives a crash until it is taken`()
        throws
    {
        let world = World()
        let ana = try world.people("ana", with: ["a"])[0]
        jot("half a te", by: ana)
        jot("half a text", by: ana)
        try world.runUntilQuiet()
        ana.node.kill()
        ana.node.start()
        try world.runUntilQuiet()
        #expect(ana.replica?.note == "half a text")
        jot("", by: ana)
        try world.runUntilQuiet()
        ana.node.kill()
        ana.node.start()
        #expect(ana.replica?.note == "")
    }
}
