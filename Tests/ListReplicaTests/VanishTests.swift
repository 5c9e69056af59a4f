import ListModel
import ListProtocol
import PairHarness
import Testing

@testable import ListReplica

/// Every policy, every way to go, every place in the list: told once, exactly.
@Suite("An editor whose element goes is told once") struct VanishTests {
    enum Route: CaseIterable {
        case live, catchUp, snapshot, listDeleted, accessLost, missing
    }

    private static let cases = Editor.Policy.allCases.flatMap { policy in
        Route.allCases.flatMap { route in (0..<4).map { (policy, route, $0) } }
    }

    private func world(_ route: Route) -> World {
        var conditions = Conditions()
        if route != .catchUp { conditions.history = .entries(2) }
        if route == .missing { conditions.limits.graves = 0 }
        return World(conditions)
    }

    /// `place`: first, middle, last of three, or the only one.
    @Test(arguments: cases)
    func `VA1 VA5 whatever the policy, the route and the place`(
        _ policy: Editor.Policy, _ route: Route, _ place: Int
    ) throws {
        let world = world(route)
        let ids: [ElementID] = place == 3 ? ["only"] : ["a", "b", "c"]
        let id = place == 3 ? "only" : ids[place]
        let people = try world.people("bob", "ana", with: ids)
        let (bob, ana) = (people[0], people[1])
        try ana.edit(id, policy)
        let companions = [try ana.accompany(id, .live), try ana.accompany(id, .snapshot)]
        if policy == .draft { try ana.type(["title": "mine"], into: id) }
        try world.runUntilQuiet()
        #expect(ana.takeTold() == [])
        let cause = try take(id, from: ana, by: bob, route)

        let told = ana.takeTold()
        #expect(told.count == 1)
        guard case .vanished(let vanish) = told.first?.event else {
            Issue.record("told \(told)")
            return
        }
        #expect(told.first?.id == id && vanish.cause == cause)
        if cause == .deleted { #expect(vanish.by == "bob" && vanish.version != nil) }
        let heard = ana.takeCompanionEvents()
        #expect(
            heard.map(\.number) == companions && heard.allSatisfy { $0.event == .vanished(vanish) })
        try stays(ana, id, policy, vanish)
    }

    private func take(
        _ id: ElementID, from ana: Person, by bob: Person, _ route: Route
    ) throws -> Vanish.Cause {
        let world = ana.world
        switch route {
        case .live:
            bob.delete(id)
            try world.runUntilQuiet()
            return .deleted
        case .catchUp, .snapshot, .missing:
            ana.goOffline()
            try world.runUntilQuiet()
            bob.delete(id)
            for n in 0..<120 {
                bob.add("x", ["title": "x"])
                bob.set("x", ["n": .int(Int64(n))])
                // Graves are forgotten when nothing waits for the log; pages are made anew after
                // 100.
                try world.runUntilQuiet()
            }
            ana.goOnline()
            try world.runUntilQuiet()
            return route == .missing ? .missing : .deleted
        case .listDeleted:
            _ = bob.node.perform { core, now in core.ask({ .remove($0, "list") }, at: now) }
            try world.runUntilQuiet()
            return .listDeleted
        case .accessLost:
            let gone = ServerMessage.Gone(code: .accessLost, by: nil, at: world.now)
            ana.node.perform { core, now in core.handle(.received(.gone("list", gone)), at: now) }
            return .accessLost
        }
    }

    /// Laws 2 and 3: the last value can be read, writing is a typed error, and the draft is kept.
    private func stays(
        _ ana: Person, _ id: ElementID, _ policy: Editor.Policy, _ vanish: Vanish
    ) throws {
        let title: Value = policy == .draft ? "mine" : .text(id.text)
        #expect(ana.editor(id)?.value["title"] == title)
        let before = ana.node.sent.count
        #expect(throws: EditorFault.vanished(vanish)) { try ana.commit(id) }
        #expect(throws: EditorFault.vanished(vanish)) { try ana.type(["title": "?"], into: id) }
        try ana.world.runUntilQuiet()
        #expect(ana.node.sent.count == before)
        #expect(ana.takeTold() == [])
        #expect(ana.editor(id)?.hasDraft == (policy == .draft))
    }
}
