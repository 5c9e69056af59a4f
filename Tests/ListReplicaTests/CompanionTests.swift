import ListModel
import PairHarness
import Testing

@testable import ListReplica

/// Editors beside the one with the draft. That each is told once of a vanishing, whatever the
/// route, is among `VanishTests`.
@Suite("Companions of an editor") struct CompanionTests {
    private let world = World(Conditions())

    @Test func `each follows by its own policy, and writes through`() throws {
        let people = try world.people("bob", "ana", with: ["a"])
        let (bob, ana) = (people[0], people[1])
        try ana.edit("a")
        try ana.type(["title": "mine"], into: "a")
        let live = try ana.accompany("a", .live)
        let snapshot = try ana.accompany("a", .snapshot)
        bob.set("a", ["title": "theirs"])
        try world.runUntilQuiet()
        guard case .conflict? = ana.takeTold().first?.event else {
            Issue.record("the draft hears no conflict")
            return
        }
        let heard = ana.takeCompanionEvents()
        #expect(heard.map(\.number) == [live])
        guard case .changed(_, let new, let by, _)? = heard.first?.event else {
            Issue.record("\(heard)")
            return
        }
        #expect(new == ["title": "theirs"] && by == "bob")
        let write = { (number: EditorNumber) in
            try ana.node.perform { core, now in
                _ = try core.type(["n": 1], into: number, in: ana.list, at: now)
            }
        }
        try write(live)
        #expect(throws: EditorFault.readOnly) { try write(snapshot) }
        try world.runUntilQuiet()
        #expect(
            bob.fields("a")?["n"] == 1 && ana.takeCompanionEvents().isEmpty, "its own is no news")
        #expect(ana.replica?.companions[snapshot]?.shown == ["title": "a"])
        ana.node.perform { core, now in core.dismiss(live, in: ana.list, at: now) }
        #expect(throws: EditorFault.notOpen) { try write(live) }
        bob.set("a", ["n": 2])
        try world.runUntilQuiet()
        #expect(ana.takeCompanionEvents().isEmpty && ana.editor("a")?.hasDraft == true)
    }

    @Test func `others see that an element is edited until the last editor on it closes`() throws {
        let people = try world.people("bob", "ana", with: ["a"])
        let (bob, ana) = (people[0], people[1])
        let one = try ana.accompany("a", .live)
        try ana.edit("a")
        try world.runUntilQuiet()
        #expect(bob.replica?.othersEditing("a") == ["ana"])
        #expect(ana.cancel("a"))
        try world.runUntilQuiet()
        #expect(bob.replica?.othersEditing("a") == ["ana"])
        ana.node.perform { core, now in core.dismiss(one, in: ana.list, at: now) }
        try world.runUntilQuiet()
        #expect(bob.replica?.othersEditing("a") == [])
    }

    @Test func `on an element of one's own that the server refuses, it vanishes for good`() throws {
        let people = try world.people("bob", "ana")
        let (bob, ana) = (people[0], people[1])
        ana.goOffline()
        ana.add("x")
        let number = try ana.accompany("x", .live)
        bob.add("x", ["title": "bob's"])
        try world.runUntilQuiet()
        ana.goOnline()
        try world.runUntilQuiet()
        #expect(ana.takeCompanionEvents().map(\.event) == [.vanished(Vanish(.rejected(.idTaken)))])
        bob.set("x", ["title": "again"])
        try world.runUntilQuiet()
        #expect(ana.takeCompanionEvents().isEmpty)
        #expect(ana.replica?.companions[number]?.shown["title"] == "x")
    }
}
