import Foundation
import ListModel
import PairHarness
import Testing

@Suite("People at work while everything fails now and then") struct CrowdTests {
    /// One seed, where SAMELIST_SEED names it.
    private static let seeds: [UInt64] =
        ProcessInfo.processInfo.environment["SAMELIST_SEED"].flatMap { UInt64($0) }.map { [$0] }
        ?? Array(1...120)

    @Test(arguments: seeds)
    func `all agree, and each editor is told the difference`(_ seed: UInt64) throws {
        var random = Randomness(seed: seed)
        var conditions = Conditions()
        conditions.latency = 1...Int64.random(in: 2...60, using: &random)
        conditions.flush = 1...20
        conditions.save = 0...20
        conditions.writeBytes = random.pick([1, 200, 64 << 10])
        conditions.history = random.pick([.entries(2), .all])
        conditions.failedAppends = random.pick([0, 0, 30])
        conditions.lostAnswers = random.pick([0, 0, 30])
        let crowd = Crowd(seed: seed, Int.random(in: 2...5, using: &random), conditions)
        do {
            try crowd.play(150)
        } catch {
            Issue.record("\(error)")
        }
        let faults = crowd.faults()
        let script = crowd.script.joined(separator: "\n")
        #expect(
            faults.isEmpty, "SAMELIST_SEED=\(seed)\n\(faults.joined(separator: "\n"))\n\(script)")
    }
}
