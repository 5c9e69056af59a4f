import ListModel
import ListProtocol
import PairHarness

@testable import ListReplica

/// Several people who do what comes into their heads, while connections, clients and the server
/// fail.
final class Crowd {
    let world: World
    let people: [Person]
    var models: [EditorModel]
    var lost: [EditorModel]
    var wrong: [String] = []
    var random: Randomness
    var added: [ElementID] = []
    /// Outcomes that may be told again, since the client crashed before it had noted them.
    var crashes: [Int]
    var script: [String] = []

    init(seed: UInt64, _ count: Int, _ conditions: Conditions) {
        world = World(seed: seed, conditions)
        random = Randomness(seed: seed &* 31 &+ 7)
        let world = world
        people = (0..<count).map { Person(world, "p\($0)") }
        models = Array(repeating: EditorModel(), count: count)
        lost = models
        crashes = Array(repeating: 0, count: count)
        for index in people.indices {
            people[index].onStep = { [unowned self] told in check(told, index) }
        }
    }

    /// Plays so many commands, then lets everything come to rest.
    func play(_ commands: Int) throws {
        for person in people { person.node.start() }
        try world.runUntilQuiet()
        for _ in 0..<commands {
            let index = Int.random(in: people.indices, using: &random)
            step(index)
            try world.run(for: Int64.random(in: 0...40, using: &random))
        }
        try settle()
    }

    func settle() throws {
        world.conditions.failedAppends = 0
        world.conditions.lostAnswers = 0
        world.server.start()
        for index in people.indices {
            if !people[index].node.isRunning { start(index) }
            people[index].goOnline()
        }
        try world.runUntilQuiet()
    }

    // What was told, against the model.

    private func check(_ told: [Person.Told], _ index: Int) {
        guard let replica = people[index].replica else { return }
        let list = replica.gone == nil ? replica.list : nil
        let expected = models[index].look(at: list)
        let actual = told.compactMap { item in
            EditorModel.Event(item.event).map { (item.id, $0) }
        }.filter { models[index].isWatching($0.0) }
        guard expected.count == actual.count, zip(expected, actual).allSatisfy({ $0 == $1 }) else {
            return wrong.append("p\(index) expected \(expected), was told \(actual)")
        }
    }

    /// What is not as it should be, once all is quiet.
    func faults() -> [String] {
        var faults = wrong
        let truth = world.server.disk.list("list")?.elements.map(\.seen) ?? []
        for person in people {
            guard let replica = person.replica else { continue }
            let mine = replica.list.elements.map(\.seen)
            if mine != truth {
                let first = zip(mine, truth).first { $0 != $1 }
                faults.append(
                    "\(person.node.user) has \(mine.count), not \(truth.count): \(first as Any)")
            }
            if !replica.unresolved.isEmpty { faults.append("\(person.node.user) still waits") }
            if !person.failures.isEmpty { faults.append("\(person.failures)") }
            do {
                try replica.list.checkInvariants()
            } catch {
                faults.append("\(person.node.user): \(error)")
            }
        }
        return faults + onceFaults()
    }

    /// Everything logged once, everything told once, nothing told that is not so.
    private func onceFaults() -> [String] {
        let entries = world.server.disk.everything["list"] ?? []
        var faults: [String] = []
        var seen: Set<String> = []
        for (index, entry) in entries.enumerated() {
            if entry.version.number != UInt64(index + 1) { faults.append("gap at \(index)") }
            if entry.n > .zero, !seen.insert("\(entry.client) \(entry.n)").inserted {
                faults.append("logged twice: \(entry.client) \(entry.n)")
            }
        }
        for (person, crashes) in zip(people, crashes) {
            for (n, answers) in person.outcomes {
                if answers.count > 1 + crashes { faults.append("\(n) was told \(answers.count)×") }
                for case .logged(let version, _) in answers.map(\.outcome) {
                    let entry = entries[Int(version.number) - 1]
                    guard entry.client == person.node.id, entry.n == n else {
                        faults.append("\(person.node.user) \(n) is not at \(version)")
                        continue
                    }
                }
            }
        }
        return faults
    }
}

extension Element {
    /// Without the version that placed it: of graves a snapshot tells the ID alone, so that a
    /// replica does not know it once they are restored.
    fileprivate var seen: Element {
        Element(id: id, fields: fields, version: version, placed: .zero, by: by, at: at)
    }
}
