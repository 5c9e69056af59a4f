import ListAuthority
import ListModel
import ListProtocol
import Testing

struct CreationTests {
    @Test func `opening a list that is not there is refused unless it is to be created`() throws {
        let stage = Stage()
        let peer = try stage.connect("ana")
        try stage.open(peer, create: false)
        #expect(peer.refusals == [.noSuchList])
        try stage.open(peer)
        #expect(peer.replicas[stage.list]?.isCaughtUp == true)
        #expect(peer.replicas[stage.list]?.epoch == Epoch(list: "w1", log: "w2"))
    }

    @Test func `creating a list twice is fine with the same arguments only`() throws {
        let stage = Stage()
        let peer = try stage.connect("ana")
        let schema = Schema([try id("n"): .number])
        stage.say(.create(1, stage.list, title: "Food", schema: schema), peer)
        stage.say(.create(2, stage.list, title: "Food", schema: schema), peer)
        stage.say(.create(3, stage.list, title: nil, schema: nil), peer)
        stage.say(.create(4, stage.list, title: "Drinks", schema: nil), peer)
        let expected: [ServerMessage] = [1, 2, 3].map { .done($0, stage.list) }
        #expect(Array(peer.takeMessages().dropFirst().prefix(3)) == expected)
        #expect(try stage.state.title == "Food")
        #expect(stage.storage.entries(of: stage.list).count == 1)
        stage.say(.create(5, stage.list, title: "Drinks", schema: nil), peer)
        #expect(peer.refusals == [.listExists])
    }

    @Test func `a list with a title is told as created when the title is durable`() throws {
        let stage = Stage()
        let peer = try stage.connect("ana")
        stage.holdsStorage = true
        stage.say(.create(1, stage.list, title: "Food", schema: nil), peer)
        _ = peer.takeMessages()
        stage.perform()
        stage.run()
        #expect(peer.messages.isEmpty)
        stage.performAll()
        #expect(peer.messages == [.done(1, stage.list)])
    }

    @Test func `a creation whose title was not written says so, and may be repeated`() throws {
        let stage = Stage()
        let peer = try stage.connect("ana")
        stage.storage.faults = [.fail]
        stage.say(.create(1, stage.list, title: "Food", schema: nil), peer)
        #expect(peer.refusals == [.storageFailed])
        stage.say(.create(2, stage.list, title: "Food", schema: nil), peer)
        #expect(peer.messages.last == .done(2, stage.list))
        #expect(try stage.state.title == "Food")
    }

    @Test func `a title beyond its limit is refused, and no list is made`() throws {
        let stage = Stage()
        let peer = try stage.connect("ana")
        let title = String(repeating: "x", count: 1_025)
        stage.say(.create(1, stage.list, title: title, schema: nil), peer)
        #expect(peer.refusals == [.tooLarge])
        #expect(stage.storage.logs.isEmpty)
    }

    @Test func `a creation that the storage refuses is refused to all who wait for it`() throws {
        let stage = Stage()
        let peer = try stage.connect("ana")
        stage.storage.refusal = Refusal(.storageFailed, "the disk is full")
        try stage.open(peer)
        #expect(peer.refusals == [.storageFailed])
        try stage.open(peer)
        #expect(peer.replicas[stage.list]?.isCaughtUp == true)
    }

    @Test func `a list that is being created is not listed yet`() throws {
        let stage = Stage()
        let peer = try stage.connect("ana")
        stage.holdsStorage = true
        try stage.open(peer)
        stage.say(.lists(1), peer)
        stage.performAll()
        stage.say(.lists(2), peer)
        let names = peer.messages.compactMap { message -> [String]? in
            guard case .lists(_, let lists) = message else { return nil }
            return lists.map(\.name.text)
        }
        #expect(names == [[], ["l"]])
    }

    @Test func `a server holds so many lists and says so`() throws {
        var limits = Limits()
        limits.lists = 1
        let stage = Stage(limits: limits)
        let peer = try stage.join("ana")
        stage.say(.create(1, try id("m"), title: nil, schema: nil), peer)
        #expect(peer.refusals == [.tooMany])
    }

    @Test func `the list of lists counts what is durable`() throws {
        let stage = Stage()
        let peer = try stage.join("ana")
        try stage.insert(1, "a", peer)
        stage.holdsStorage = true
        try stage.insert(2, "b", peer)
        stage.say(.lists(1), peer)
        let summary = ListSummary(
            name: stage.list, title: "", version: Version(1), count: 1, open: 1)
        #expect(peer.messages.last == .lists(1, [summary]))
        stage.performAll()
        try stage.expectSame([peer])
    }
}

@Suite("The list of lists") struct SurveyTests {
    /// A server that has just started over three lists of one, two and three rows.
    private func started() throws -> Stage {
        let stage = Stage()
        let peer = try stage.connect("ana")
        for (index, name) in ["a", "b", "c"].enumerated() {
            let list: ListName = try id(name)
            stage.say(.create(1, list, title: "T" + name, schema: nil), peer)
            for row in 0...index {
                let n = MutationNumber(UInt64(row + 1))
                let operation = Operation(.insert(try id("r\(row)"), at: .last, Fields()))
                stage.say(
                    .submit(.init(list: list, n: n, heard: .zero, operations: [operation])), peer)
            }
        }
        return stage.restarted()
    }

    private func summaries(_ peer: Peer) -> [[ListSummary]] {
        peer.messages.compactMap { message in
            guard case .lists(_, let lists) = message else { return nil }
            return lists
        }
    }

    @Test func `lists that are not in memory are counted, one after the other`() throws {
        let stage = try started()
        let peer = try stage.connect("bo")
        stage.holdsStorage = true
        stage.say(.lists(1), peer)
        var steps = 0
        while !stage.held.isEmpty {
            #expect(stage.held.count == 1)
            stage.perform()
            stage.run()
            steps += 1
        }
        #expect(steps == 3)
        #expect(summaries(peer).map { $0.map(\.count) } == [[1, 2, 3]])
        #expect(summaries(peer).first?.map(\.title) == ["Ta", "Tb", "Tc"])
        stage.say(.lists(2), peer)
        #expect(stage.held.isEmpty, "what was counted is remembered")
        #expect(summaries(peer).last?.map(\.count) == [1, 2, 3])
    }

    @Test func `a list is counted anew after it was in memory`() throws {
        let stage = try started()
        let peer = try stage.connect("bo")
        stage.say(.lists(1), peer)
        let list: ListName = try id("a")
        let operation = Operation(.insert(try id("new"), at: .last, Fields()))
        stage.say(
            .submit(.init(list: list, n: MutationNumber(1), heard: .zero, operations: [operation])),
            peer)
        stage.say(.lists(2), peer)
        #expect(summaries(peer).last?.map(\.count) == [2, 2, 3])
        stage.pass(120_000)
        stage.pass(120_000)
        stage.holdsStorage = true
        stage.say(.lists(3), peer)
        #expect(stage.held.isEmpty)
        #expect(summaries(peer).last?.map(\.count) == [2, 2, 3])
    }

    @Test func `what takes too long is answered with what is known`() throws {
        let stage = try started()
        let peer = try stage.connect("bo")
        stage.holdsStorage = true
        stage.say(.lists(1), peer)
        stage.perform()
        stage.run()
        stage.say(.lists(2), peer)
        #expect(summaries(peer).map { $0.map(\.count) } == [[1, nil, nil]])
        stage.pass(2_000)
        #expect(summaries(peer).map { $0.map(\.count) } == [[1, nil, nil], [1, nil, nil]])
        stage.performAll()
        stage.say(.lists(3), peer)
        #expect(summaries(peer).last?.map(\.count) == [1, 2, 3])
    }

    @Test func `a list that is wanted while it is counted stays in memory`() throws {
        let stage = try started()
        let peer = try stage.connect("bo")
        stage.holdsStorage = true
        stage.say(.lists(1), peer)
        stage.say(.history(2, try id("a"), of: nil, before: nil, limit: 1), peer)
        stage.performAll()
        #expect(summaries(peer).last?.map(\.count) == [1, 2, 3])
        #expect(peer.messages.contains { if case .history = $0 { true } else { false } })
    }

    @Test func `who hangs up meanwhile is forgotten, and a failing disk holds nobody up`() throws {
        let stage = try started()
        let peer = try stage.connect("bo")
        let other = try stage.connect("cy")
        stage.holdsStorage = true
        stage.say(.lists(1), peer)
        stage.say(.lists(1), other)
        stage.cut(peer)
        stage.storage.refusal = Refusal(.storageFailed, "the disk is away")
        stage.performAll()
        #expect(summaries(other).map { $0.map(\.count) } == [[nil, 2, 3]])
        #expect(summaries(peer).isEmpty)
    }
}
