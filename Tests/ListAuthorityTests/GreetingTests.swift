import ListAuthority
import ListModel
import ListProtocol
import Testing

struct GreetingTests {
    @Test func `whoever does not say hello first is told to and closed`() throws {
        let stage = Stage()
        let peer = try stage.connect("ana", hello: false)
        stage.say(.lists(1), peer)
        #expect(peer.refusals == [.helloFirst])
        #expect(peer.goodbye?.code == CloseCode.helloExpected.rawValue)
        #expect(peer.goodbye?.retry == nil)
        #expect(stage.closed.count == 1)
    }

    @Test func `nothing is answered after goodbye`() throws {
        let stage = Stage()
        let peer = try stage.connect("ana", hello: false)
        stage.say(.lists(1), peer)
        let count = peer.messages.count
        stage.say(.hello(.init(client: peer.client, name: try id("ana"))), peer)
        stage.say(.lists(2), peer)
        #expect(peer.messages.count == count)
    }

    @Test func `another version of the protocol is refused and not invited back`() throws {
        let stage = Stage()
        let peer = try stage.connect("ana", hello: false)
        stage.say(.hello(.init(version: 2, client: peer.client, name: try id("ana"))), peer)
        #expect(peer.refusals == [.unsupportedVersion])
        #expect(peer.goodbye?.code == CloseCode.unsupportedVersion.rawValue)
    }

    @Test func `welcome carries the limits and the session`() throws {
        let peer = try Stage().connect("ana")
        guard case .welcome(let welcome) = peer.messages.first else {
            Issue.record("no welcome")
            return
        }
        #expect(welcome.session == 1 && welcome.name.text == "ana" && welcome.operations == 1_000)
    }

    @Test func `a second hello is refused and changes nothing`() throws {
        let stage = Stage()
        let peer = try stage.connect("ana")
        stage.say(.hello(.init(client: try id("eve"), name: try id("eve"))), peer)
        #expect(peer.refusals == [.helloFirst])
        #expect(peer.goodbye == nil)
        _ = try stage.connect("eve")
        #expect(peer.goodbye == nil)
    }

    @Test func `RE5 RE6: a new connection of a client takes the place of the old one`() throws {
        let stage = Stage()
        let old = try stage.join("ana", presence: true)
        let bob = try stage.join("bob", presence: true)
        let new = try stage.join("ana")
        #expect(old.goodbye?.code == CloseCode.replaced.rawValue)
        try stage.insert(1, "a", new)
        #expect(new.outcomes(of: 1).count == 1)
        #expect(old.replicas[stage.list]?.versions == [])
        stage.cut(old)
        try stage.insert(2, "b", new)
        try stage.expectSame([new, bob])
    }

    @Test func `RE6: presence of a replaced connection ends with its goodbye`() throws {
        let stage = Stage()
        _ = try stage.join("ana")
        _ = try stage.join("ana")
        let bob = try stage.join("bob", presence: true)
        stage.say(.who(7, stage.list), bob)
        let here = bob.messages.compactMap { message -> [Presence]? in
            if case .who(7, _, let here) = message { return here }
            return nil
        }
        #expect(here.first?.map(\.session) == [2, 3])
    }

    @Test func `what comes before the stored lists are known waits for them`() throws {
        var storage = LogsInMemory()
        storage.logs[Stage.list] = LogsInMemory.Log(epoch: Epoch(list: "old", log: "old"))
        let stage = Stage(storage: storage, isStarted: false)
        let peer = try stage.join("ana")
        #expect(peer.messages.isEmpty)
        stage.start()
        #expect(peer.replicas[stage.list]?.epoch?.list == "old")
        #expect(stage.storage.loads == 1)
    }

    @Test func `what cannot be understood is answered, and disturbs nobody`() throws {
        let stage = Stage()
        let peer = try stage.join("ana")
        let refusal = Refusal(.malformed, "this is no JSON")
        stage.tell(.refused(ConnectionID(peer.number), refusal, request: 4, list: nil))
        #expect(peer.messages.last == .error(4, nil, refusal))
        #expect(peer.goodbye == nil)
    }

    @Test func `a mutation that cannot be understood still has an outcome`() throws {
        let stage = Stage()
        let peer = try stage.join("ana")
        let refusal = Refusal(.tooLarge, "takes 70000 bytes; the limit is 65536")
        stage.tell(
            .refusedSubmission(
                ConnectionID(peer.number), stage.list, MutationNumber(3), refusal))
        #expect(peer.outcome(of: 3) == .refused(refusal))
    }
}
