import Foundation
import ListAuthority
import ListModel
import ListProtocol
import Testing

/// Many clients, random work, cuts, slow readers, failing and conflicting appends, restarts.
/// `SAMELIST_SEED` replays one seed.
struct RandomTests {
    static let seeds: [UInt64] =
        ProcessInfo.processInfo.environment["SAMELIST_SEED"].flatMap { UInt64($0) }.map { [$0] }
        ?? (0..<4).map { _ in UInt64.random(in: 0..<1_000_000) }

    @Test(arguments: seeds)
    func `every replica is the list, and every outcome is told once and true`(seed: UInt64) throws {
        print("SAMELIST_SEED=\(seed)")
        let crowd = try Crowd(seed: seed)
        for _ in 0..<1_000 { try crowd.step() }
        try crowd.settle()
        try crowd.check()
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014).
struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
