import ListModel
import ListProtocol
import PairHarness
import Testing

@testable import ListReplica

@Suite("A list that may no longer be read") struct AccessLostTests {
    private let world = World(Conditions())

    private func people() throws -> (bob: Person, ana: Person) {
        let people = try world.people("bob", "ana", with: ["a", "b"])
        return (people[0], people[1])
    }

    private func contents(of person: Person) -> [String] {
        person.node.kept(of: "list").keys.filter { $0.hasPrefix("list/list/c/") }.sorted()
    }

    @Test func `its rows go, also from the disk, and drafts stay`() throws {
        let (_, ana) = try people()
        try ana.edit("a")
        try ana.type(["title": "mine"], into: "a")
        try world.runUntilQuiet()
        #expect(!contents(of: ana).isEmpty)
        ana.loseAccess()
        #expect(ana.takeTold() == [.init("a", .vanished(ana.lost))])
        #expect(ana.closings.map(\.code) == [.accessLost])
        try world.runUntilQuiet()
        #expect(ana.ids == [] && contents(of: ana).isEmpty)
        #expect(ana.editor("a")?.value["title"] == "mine")
        #expect(ana.replica?.isLive == false, "it does not ask for the list by itself")
    }

    @Test func `access that comes back is told to every editor, once`() throws {
        let (bob, ana) = try people()
        try ana.edit("a")
        try ana.type(["title": "mine"], into: "a")
        try ana.edit("b", .live)
        try world.runUntilQuiet()
        ana.loseAccess()
        bob.set("b", ["title": "new"])
        bob.delete("a")
        try world.runUntilQuiet()
        bob.restore("a")
        try world.runUntilQuiet()
        _ = ana.takeTold()
        ana.openAgain()
        try world.runUntilQuiet()
        let told = ana.takeTold()
        #expect(told.map(\.id) == ["a", "b", "b"])
        #expect(told[0].event == .returned(by: nil) && told[1].event == .returned(by: nil))
        guard case .changed(_, let new, let by, _) = told[2].event else {
            Issue.record("\(told[2])")
            return
        }
        #expect(new == ["title": "new"] && by == "bob")
        try ana.commit("a")
        try world.runUntilQuiet()
        #expect(bob.fields("a") == ["title": "mine"])
    }

    @Test func `what was deleted meanwhile does not return`() throws {
        let (bob, ana) = try people()
        try ana.edit("a")
        try ana.type(["title": "mine"], into: "a")
        try world.runUntilQuiet()
        ana.loseAccess()
        bob.delete("a")
        try world.runUntilQuiet()
        _ = ana.takeTold()
        ana.openAgain()
        try world.runUntilQuiet()
        #expect(ana.takeTold() == [])
        #expect(ana.editor("a")?.vanish?.cause == .deleted && ana.editor("a")?.vanish?.by == "bob")
        #expect(ana.editor("a")?.value["title"] == "mine")
    }

    @Test(arguments: [false, true])
    func `work that waits goes on when access comes back, once`(isKilled: Bool) throws {
        let (bob, ana) = try people()
        ana.goOffline()
        let n = try #require(ana.set("a", ["n": 1]))
        let m = try #require(ana.add("c"))
        try world.runUntilQuiet()
        ana.loseAccess()
        #expect(ana.outcomes.isEmpty && ana.replica?.unresolved.count == 2)
        try world.runUntilQuiet()
        if isKilled {
            ana.node.kill()
            ana.node.start()
        } else {
            ana.goOnline()
            ana.openAgain()
        }
        try world.runUntilQuiet()
        #expect(ana.outcomes[n]?.count == 1 && ana.outcomes[m]?.count == 1)
        #expect(bob.fields("a")?["n"] == 1 && bob.ids == ["a", "b", "c"])
        #expect(ana.ids == bob.ids)
    }

    @Test func `a list that is refused when it is opened again was taken away`() throws {
        let (_, ana) = try people()
        ana.goOffline()
        try world.runUntilQuiet()
        let name: ListName = "list"
        ana.node.perform { core, now in
            core.goOnline(at: now)
            core.replicas[name]?.open(session: 1)
            let refusal = Refusal(.notAllowed, "your token gives no right to the list list")
            core.handle(.received(.error(nil, name, refusal)), at: now)
        }
        #expect(ana.closings.map(\.code) == [.accessLost] && ana.failures == [])
    }
}

@Suite("A token that expires") struct TokenRenewalTests {
    private let now = Timestamp(milliseconds: 1_000_000)

    private func welcome(_ expires: Int64?) -> ClientCore.Event {
        let welcome = ServerMessage.Welcome(
            name: "ana", session: 1, expires: expires.map { now.adding(milliseconds: $0) },
            messageBytes: 1 << 20, operations: 1_000, elementBytes: 1 << 16, fields: 64)
        return .received(.welcome(welcome))
    }

    private func core(expiring expires: Int64?) throws -> ClientCore {
        let core = ClientCore(client: try #require(ClientID("c")), user: "liar") { 500 }
        core.goOnline(at: now)
        core.handle(.connected, at: now)
        _ = core.takeLinkWork()
        core.handle(welcome(expires), at: now)
        return core
    }

    private func renewals(_ core: ClientCore) -> [RequestID] {
        core.takeLinkWork().compactMap { if case .renew(let request) = $0 { request } else { nil } }
    }

    @Test func `the name is the one that the server knows`() throws {
        #expect(try core(expiring: nil).user == "ana")
    }

    @Test func `is shown anew a minute before, and again until one holds longer`() throws {
        let core = try core(expiring: 600_000)
        #expect(core.nextTick == now.adding(milliseconds: 540_000))
        core.handle(.tick, at: now.adding(milliseconds: 539_999))
        #expect(renewals(core) == [])
        core.handle(.tick, at: now.adding(milliseconds: 540_000))
        let request = try #require(renewals(core).first)
        core.notRenewed(request, at: now.adding(milliseconds: 540_000))
        #expect(core.nextTick == now.adding(milliseconds: 570_000))
        core.handle(.tick, at: now.adding(milliseconds: 570_000))
        let second = try #require(renewals(core).first)
        core.handle(
            .received(.renewed(second, expires: now.adding(milliseconds: 1_200_000))),
            at: now.adding(milliseconds: 570_000))
        #expect(core.nextTick == now.adding(milliseconds: 1_140_000))
    }

    @Test func `one that never expires is left alone`() throws {
        let core = try core(expiring: nil)
        #expect(core.nextTick == nil && renewals(core) == [])
    }

    @Test func `a server that knows nobody by the token says so, and is not asked again`() throws {
        let core = try core(expiring: nil)
        core.handle(.disconnected(code: 4304, sentence: "a token is needed"), at: now)
        guard case .refused(let refusal) = core.link.state else {
            Issue.record("\(core.link.state)")
            return
        }
        #expect(refusal.code == .notAuthenticated)
    }
}

extension Person {
    var lost: Vanish { Vanish(.accessLost, at: world.now) }

    fileprivate func loseAccess() {
        let gone = ServerMessage.Gone(code: .accessLost, by: nil, at: world.now)
        node.perform { core, now in core.handle(.received(.gone(list, gone)), at: now) }
    }

    fileprivate func openAgain() {
        node.perform { core, now in try? core.open(list, at: now) }
    }
}
