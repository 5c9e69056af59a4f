import ListAuthority
import ListModel
import ListProtocol
import Testing

/// Two authorities over one log, by compare-and-append alone: what holds when several nodes serve a
/// list. A node hears of the other's entries when it appends, or when a client knows of them.
struct TwoNodesTests {
    let one = Stage()
    let two: Stage
    let ana: Peer
    let bob: Peer

    init() throws {
        ana = try one.join("ana")
        two = one.restarted()
        bob = try two.join("bob")
    }

    /// The log is one: what a node wrote, the other finds there.
    private func on(_ stage: Stage, _ doing: () throws -> Void) rethrows {
        stage.storage = (stage === one ? two : one).storage
        try doing()
        (stage === one ? two : one).storage = stage.storage
    }

    @Test func `DU8: an entry that is told and read back from the log reaches each client once`()
        throws
    {
        let cid = try one.join("cid")
        one.storage.faults = [.loseAnswer]
        try one.insert(1, "a", ana)
        #expect(ana.outcomes(of: 1).count == 1)
        two.storage = one.storage
        try on(two) { try two.insert(1, "b", bob) }
        try on(one) { try one.insert(2, "c", ana) }
        for peer in [ana, cid] {
            #expect(peer.replicas[one.list]?.versions == [1, 2, 3].map { Version($0) })
        }
        #expect(bob.replicas[one.list]?.versions == [1, 2].map { Version($0) })
    }

    @Test func `GA3: a number is given by the log, so that none is skipped`() throws {
        one.holdsStorage = true
        try one.insert(1, "slow", ana)
        #expect(one.held.count == 1)
        try on(two) { try two.insert(1, "fast", bob) }
        on(one) { one.performAll() }
        #expect(ana.outcome(of: 1) == .logged(Version(2), skips: []))
        #expect(bob.outcome(of: 1) == .logged(Version(1), skips: []))
        #expect(ana.replicas[one.list]?.versions == [1, 2].map { Version($0) })
        #expect(one.storage.entries(of: one.list).map(\.client.text) == ["bob", "ana"])
        try one.expectSame([ana])
    }

    @Test func `GA9: entries of both nodes come once, also after a cut`() throws {
        var back = ana
        var seen: [Version] = []
        for n: UInt64 in 1...20 {
            try on(two) { try two.insert(n, "b\(n)", bob) }
            try on(one) { try one.insert(n, "a\(n)", back) }
            guard n % 5 == 0 else { continue }
            seen += try #require(back.replicas[one.list]).versions
            one.cut(back)
            try on(two) { two.submit(100 + n, [try .set("b\(n)", "while away")], bob) }
            try on(one) { back = try one.rejoin(back, heard: n) }
        }
        try on(one) { try one.insert(21, "last", back) }
        seen += try #require(back.replicas[one.list]).versions
        #expect(seen == (1...45).map { Version($0) })
        try one.expectSame([back])
    }
}
