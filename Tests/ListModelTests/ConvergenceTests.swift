import Testing

@testable import ListModel

@Suite("Replicas and one authority")
struct ConvergenceTests {
    @Test(
        "2 to 8 replicas in random interleavings end equal to the authority", arguments: seeds(14))
    func converge(seed: UInt64) throws {
        var network = VirtualNetwork(seed: seed, replicas: 2 + Int(seed % 7))
        for step in 0..<1_200 {
            try network.step()
            if step % 300 == 299 {
                try network.drain()
                for replica in network.replicas {
                    try #require(replica.speculation.pending.isEmpty)
                    try #require(
                        replica.speculation.list.portrait == network.authority.portrait,
                        "\(replica.client) \(replay(seed, step: step))")
                    try replica.speculation.list.checkInvariants()
                }
            }
        }
        #expect(network.isClockStanding == (network.settled > 0))
        #expect(network.authority.head > Version(100))
    }

    @Test(
        "what is visible is the confirmed list with the pending work, as from scratch",
        arguments: seeds(6))
    func scratch(seed: UInt64) throws {
        // A standing clock: pending work shows the time at which it was last played.
        var network = VirtualNetwork(seed: seed * 2, replicas: 3)
        for step in 0..<600 {
            try network.step()
            for (at, replica) in network.replicas.enumerated() where step % 3 == 0 {
                try #require(
                    replica.speculation.list.portrait == network.fromScratch(at),
                    "\(replica.client) \(replay(seed, step: step))")
                #expect(replica.speculation.confirmedHead == replica.confirmed.head)
            }
        }
    }

    @Test("OR2: two appends at once end up last, in one order, at every replica")
    func appends() throws {
        var network = VirtualNetwork(seed: 2, replicas: 3)
        for at in [0, 1] {
            let mutation = Mutation(
                client: network.replicas[at].client, n: MutationNumber(1),
                operations: [Operation(.insert(at == 0 ? "x" : "y", at: .last, [:]))])
            let name = network.replicas[at].name
            network.replicas[at].speculation.propose(mutation, makeContext(by: name))
            network.replicas[at].upwards.append(mutation)
        }
        try network.drain()
        #expect(network.replicas.map(\.speculation.list.layout) == ["x y", "x y", "x y"])
    }

    @Test(
        "authorities that share a log and lose appends end with the log's list", arguments: seeds(8)
    )
    func sharedLog(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var sources = (1...3).map { RandomMutations(seed: seed * 10 + $0, name: "n\($0)-") }
        var nodes = Array(repeating: Speculation(), count: 3)
        var log: [Entry] = []
        for step in 0..<600 {
            let at = random.below(3)
            let list = nodes[at].list
            if random.chance(60) {
                let operations = Array(sources[at].operations(list).prefix(6))
                nodes[at].propose(
                    makeMutation(operations, client: ClientID("c\(at)")!, n: UInt64(step)),
                    makeContext(at: Int64(step)))
            } else {
                try appendOrCatchUp(&nodes[at], &log)
            }
        }
        for at in [0, 1, 2, 0, 1, 2] { try appendOrCatchUp(&nodes[at], &log, all: true) }
        var replayed = ListState()
        for entry in log { try replayed.apply(entry) }
        for node in nodes {
            try #require(node.pending.isEmpty, "\(replay(seed, step: 0))")
            try #require(node.list.portrait == replayed.portrait, "\(replay(seed, step: 0))")
        }
    }

    /// Compare-and-append: what is pending goes into the log where it stands where the node thinks.
    private func appendOrCatchUp(
        _ node: inout Speculation, _ log: inout [Entry], all: Bool = false
    ) throws {
        repeat {
            let known = Int(node.confirmedHead.number)
            if known == log.count {
                for pending in node.pending where pending.resolution.isLogged {
                    log.append(
                        Entry(
                            version: pending.headAfter, at: pending.lastAt, by: pending.by,
                            client: pending.mutation.client, n: pending.mutation.n,
                            operations: pending.resolution.operations))
                }
                node.settle(node.pending.count)
                continue
            }
            try node.takeIn(log[known...])
        } while all && (!node.pending.isEmpty || Int(node.confirmedHead.number) < log.count)
    }
}
