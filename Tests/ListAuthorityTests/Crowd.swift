import ListAuthority
import ListModel
import ListProtocol
import Testing

/// Clients who work on one list at random, remember what they were told, and say again what they
/// were not.
final class Crowd {
    private var stage: Stage
    private var members: [Member] = []
    private var numbers: SeededNumbers
    private let history: History
    private let limits: Limits

    struct Member {
        let name: String
        var peer: Peer
        var n: UInt64 = 0
        var heard: UInt64 = 0
        /// Submitted, and not answered on any connection.
        var unanswered: [UInt64: [ListModel.Operation.Intent]] = [:]
        var told: [UInt64: Outcome] = [:]
    }

    init(seed: UInt64) throws {
        numbers = SeededNumbers(state: seed)
        var limits = Limits()
        limits.frameBytes = 2_000
        limits.graves = 40
        self.limits = limits
        history =
            [.all, .entries(20), .entries(0), .age(5_000)].randomElement(using: &numbers) ?? .all
        stage = Stage(limits: limits, history: history)
        for index in 0..<8 {
            let name = "c\(index)"
            members.append(Member(name: name, peer: try stage.join(name)))
        }
    }

    func step() throws {
        stage.now = stage.now.adding(milliseconds: Int64.random(in: -200...500, using: &numbers))
        let index = Int.random(in: 0..<members.count, using: &numbers)
        switch Int.random(in: 0..<100, using: &numbers) {
        case 0..<60: submit(index, try randomWork())
        case 60..<66: try comeBack(index)
        case 66..<70: sayAgainIfUnsure(index)
        case 70..<75: members[index].peer.isStalled = true
        case 75..<82: stage.take(members[index].peer, bytes: 500)
        case 82..<86: stage.wake(members[index].peer)
        case 86..<90: stage.holdsStorage = true
        case 90..<95: stage.performAll()
        case 95..<97: stage.storage.faults.append(try randomFault())
        case 97: stage.pass(100)
        case 98: try stage.open(members[index].peer, at: stage.position(of: members[index].peer))
        default: try restart()
        }
        listen()
    }

    private func randomWork() throws -> [ListModel.Operation.Intent] {
        try (0...Int.random(in: 0...2, using: &numbers)).map { _ in
            let element = "e\(Int.random(in: 0..<60, using: &numbers))"
            let other = "e\(Int.random(in: 0..<60, using: &numbers))"
            let places: [Place] = try [.first, .last, .after(id(other)), .before(id(other))]
            let place = places.randomElement(using: &numbers) ?? .last
            switch Int.random(in: 0..<7, using: &numbers) {
            case 0, 1: return try .insert("n\(numbers.next() % 1_000_000)", at: place)
            case 2: return try .insert(element, at: place)
            case 3: return try .set(element, "t\(Int.random(in: 0..<9, using: &numbers))")
            case 4: return try .move([id(element), id(other)], to: place)
            case 5: return try .delete(element)
            default: return .restore(try id(element))
            }
        }
    }

    private func randomFault() throws -> LogsInMemory.Fault {
        switch Int.random(in: 0..<3, using: &numbers) {
        case 0: return .fail
        case 1: return .loseAnswer
        default:
            let new: ElementID = try id("f\(numbers.next() % 1_000_000)")
            return .conflict(
                try stage.foreign(
                    [.insert(new, after: .first, [:])], client: "o\(numbers.next() % 1_000_000)"))
        }
    }

    private func submit(_ index: Int, _ work: [ListModel.Operation.Intent]) {
        members[index].n += 1
        members[index].unanswered[members[index].n] = work
        stage.submit(members[index].n, work, members[index].peer, heard: members[index].heard)
    }

    /// Work that was not answered, in order, as it was.
    private func sayAgain(_ index: Int) {
        listen()
        for (n, work) in members[index].unanswered.sorted(by: { $0.key < $1.key }) {
            stage.submit(n, work, members[index].peer, heard: members[index].heard)
        }
    }

    /// On the same connection only where no answer can be on its way to who says it again: what
    /// came to nothing would be resolved twice, and the first answer taken for the last.
    private func sayAgainIfUnsure(_ index: Int) {
        if !members[index].peer.isStalled, !stage.holdsStorage { sayAgain(index) }
    }

    private func comeBack(_ index: Int) throws {
        listen()
        let old = members[index].peer
        if Bool.random(using: &numbers) { stage.cut(old) }
        try connect(index)
        if !old.isCut { stage.cut(old) }
        sayAgain(index)
    }

    private func connect(_ index: Int) throws {
        let old = members[index].peer
        members[index].peer =
            Int.random(in: 0..<4, using: &numbers) == 0
            ? try stage.join(members[index].name)
            : try stage.rejoin(old, heard: members[index].heard)
    }

    /// The server dies with whatever is under way, and another takes its place.
    private func restart() throws {
        listen()
        stage.storage.faults = []
        let old = stage
        stage = stage.restarted(limits: limits, history: history)
        for index in members.indices { try connect(index) }
        for index in members.indices { sayAgain(index) }
        _ = old
    }

    /// Takes in what was told since the last look; only then an outcome counts as heard.
    private func listen() {
        for index in members.indices {
            for message in members[index].peer.takeMessages() {
                guard case .outcome(_, let n, let answer) = message else { continue }
                members[index].hear(n.number, answer.outcome)
            }
        }
    }

    func settle() throws {
        stage.storage.faults = []
        stage.performAll()
        for index in members.indices {
            try comeBack(index)
            stage.wake(members[index].peer)
        }
        stage.performAll()
        listen()
    }

    /// The log, every replica and every outcome agree.
    func check() throws {
        try stage.expectSame(members.map(\.peer))
        let entries = stage.storage.logs[stage.list].map { _ in
            stage.storage.entries(of: stage.list)
        }
        var logged: [String: Version] = [:]
        for entry in entries ?? [] where entry.n > .zero {
            let origin = "\(entry.client) \(entry.n)"
            #expect(
                logged.updateValue(entry.version, forKey: origin) == nil, "\(origin) is there twice"
            )
        }
        let first = stage.storage.logs[stage.list]?.first ?? .zero
        for member in members {
            #expect(member.unanswered.isEmpty)
            #expect(member.told.count == Int(member.n))
            for (n, outcome) in member.told {
                let version = logged["\(member.name) \(n)"]
                guard case .logged(let told, _) = outcome else {
                    #expect(version == nil, "\(member.name) \(n) was told \(outcome)")
                    continue
                }
                #expect(version == told || told < first)
            }
        }
        try stage.state.checkInvariants()
    }
}

extension Crowd.Member {
    fileprivate mutating func hear(_ n: UInt64, _ outcome: Outcome) {
        if let before = told.updateValue(outcome, forKey: n) {
            #expect(before == outcome, "\(name) \(n) was told two things")
        }
        unanswered[n] = nil
        while told[heard + 1] != nil { heard += 1 }
    }
}
