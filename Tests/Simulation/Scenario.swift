internal import ListAuthority
internal import ListModel
package import PairHarness

/// All that is planned for one run, from one seed.
package struct Scenario: Sendable {
    package let seed: UInt64
    package let people: Int
    package let conditions: Conditions
    package var steps: [Step] = []

    /// So many operations, and faults among them.
    package init(seed: UInt64, operations: Int) {
        var random = Randomness(seed: seed &* 0x9E37_79B9 &+ 17)
        self.seed = seed
        people = Int.random(in: 2...4, using: &random)
        conditions = Self.conditions(&random)
        let faults = random.pick([0, 20, 60, 120])
        let pause = random.pick([5, 20, 60, 200])
        let isDropped = random.happens(250)
        let isRestored = random.happens(250)
        let isSetBack = random.happens(150)
        var left = operations
        while left > 0 {
            let doing = Self.pick(random.happens(faults), &random)
            if doing == .drop, !isDropped || !random.happens(200) { continue }
            if doing == .restoreBackup, !isRestored { continue }
            if doing == .copyState || doing == .setBack, !isSetBack { continue }
            if !doing.isFault { left -= 1 }
            steps.append(
                Step(
                    pause: Int64.random(in: 0...Int64(pause), using: &random),
                    person: Int.random(in: 0..<people, using: &random), doing: doing,
                    luck: random.next()))
        }
    }

    private static func conditions(_ random: inout Randomness) -> Conditions {
        var conditions = Conditions()
        conditions.latency = 1...Int64.random(in: 2...80, using: &random)
        conditions.flush = 1...random.pick([2, 20, 100])
        conditions.save = 0...random.pick([1, 20, 200])
        conditions.writeBytes = random.pick([1, 300, 64 << 10])
        conditions.history = random.pick([.entries(3), .entries(40), .all])
        conditions.failedAppends = random.pick([0, 0, 30])
        conditions.lostAnswers = random.pick([0, 0, 30])
        conditions.failedReads = random.pick([0, 0, 30])
        conditions.failedSaves = random.pick([0, 0, 30])
        conditions.duplicates = random.pick([0, 50])
        conditions.tears = true
        conditions.limits.frameBytes = random.pick([200, 2_000, 64 << 10])
        // With small frames there is room for one snapshot at a time.
        if conditions.limits.frameBytes == 200 { conditions.limits.snapshotBytes = 1 }
        conditions.limits.graves = random.pick([8, 40])
        conditions.limits.graveAge = random.pick([0, 5_000])
        return conditions
    }

    private static func pick(_ isFault: Bool, _ random: inout Randomness) -> Doing {
        let table = isFault ? faults : operations
        return random.pick(table)
    }

    private static let operations = table { !$0.isFault }
    private static let faults = table(\.isFault)

    private static func table(_ isIn: (Doing) -> Bool) -> [Doing] {
        Doing.allCases.filter(isIn).flatMap { Array(repeating: $0, count: $0.weight) }
    }
}
