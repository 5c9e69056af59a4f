import Testing

@testable import ListModel

/// One authority and several replicas, joined by a queue in each direction; whoever holds it says
/// whose turn it is. Everything is delivered, in order, at some time.
struct VirtualNetwork {
    enum Answer {
        case entry(Entry)
        /// A mutation of this client of which nothing was logged.
        case nothing(ClientID, MutationNumber)
    }

    struct Replica {
        let client: ClientID
        let name: UserName
        var source: RandomMutations
        var speculation = Speculation()
        /// Its confirmed list alone, kept by nothing but entries.
        var confirmed = ListState()
        var proposed = MutationNumber.zero
        var upwards: [Mutation] = []
        var downwards: [Answer] = []
    }

    var authority = ListState()
    var replicas: [Replica]
    var random: SeededGenerator
    /// A clock that stands lets replicas predict entries to the letter, so that they settle.
    let isClockStanding: Bool
    var settled = 0
    private var now: Int64 = 0

    init(seed: UInt64, replicas count: Int) {
        random = SeededGenerator(seed: seed)
        isClockStanding = seed % 2 == 0
        replicas = (1...count).map { number in
            Replica(
                client: ClientID("c\(number)")!, name: UserName("user\(number)")!,
                source: RandomMutations(seed: seed &* 100 &+ UInt64(number), name: "r\(number)-"))
        }
    }

    mutating func step() throws {
        if !isClockStanding { now += Int64(random.below(3)) }
        let at = random.below(replicas.count)
        switch random.below(3) {
        case 0: propose(at)
        case 1: resolve(at)
        default: try receive(at)
        }
    }

    /// Delivers all that is on its way.
    mutating func drain() throws {
        for at in replicas.indices { while !replicas[at].upwards.isEmpty { resolve(at) } }
        for at in replicas.indices { while !replicas[at].downwards.isEmpty { try receive(at) } }
    }

    mutating func propose(_ at: Int) {
        replicas[at].proposed = replicas[at].proposed.next
        let list = replicas[at].speculation.list
        let operations = Array(replicas[at].source.operations(list).prefix(6))
        let mutation = Mutation(
            client: replicas[at].client, n: replicas[at].proposed, operations: operations,
            atomic: random.chance(10))
        replicas[at].speculation.propose(mutation, context(replicas[at].name))
        replicas[at].upwards.append(mutation)
    }

    private func context(_ name: UserName) -> ResolutionContext { makeContext(by: name, at: now) }

    private mutating func resolve(_ at: Int) {
        guard !replicas[at].upwards.isEmpty else { return }
        let mutation = replicas[at].upwards.removeFirst()
        let name = replicas[at].name
        let resolution = authority.perform(mutation, context(name))
        guard resolution.isLogged else {
            replicas[at].downwards.append(.nothing(mutation.client, mutation.n))
            return
        }
        let entry = makeEntry(
            resolution, of: authority, by: name, client: mutation.client, n: mutation.n)
        for other in replicas.indices { replicas[other].downwards.append(.entry(entry)) }
    }

    private mutating func receive(_ at: Int) throws {
        guard !replicas[at].downwards.isEmpty else { return }
        let own = replicas[at].client
        switch replicas[at].downwards.removeFirst() {
        case .nothing(let client, let n):
            let isDone = { (pending: Speculation.Pending) in
                pending.mutation.client == client && pending.mutation.n == n
            }
            try replicas[at].speculation.takeIn([], at: now, dropping: isDone)
        case .entry(let entry):
            try replicas[at].confirmed.apply(entry)
            if isClockStanding, entry.client == own, replicas[at].isPredicted(entry) {
                settled += 1
                replicas[at].speculation.settle(1)
                return
            }
            let isDone = { (pending: Speculation.Pending) in
                entry.client == own && pending.mutation.n == entry.n
            }
            try replicas[at].speculation.takeIn([entry], at: now, dropping: isDone)
        }
    }

    /// What is visible at a replica, computed from its confirmed list and pending work alone.
    func fromScratch(_ at: Int) -> Portrait {
        var list = replicas[at].confirmed
        for pending in replicas[at].speculation.pending {
            _ = list.perform(pending.mutation, context(pending.by))
        }
        return list.portrait
    }
}

extension VirtualNetwork.Replica {
    func isPredicted(_ entry: Entry) -> Bool {
        guard let first = speculation.pending.first else { return false }
        return first.mutation.n == entry.n && first.headAfter == entry.version
            && first.resolution.operations == entry.operations
    }
}
