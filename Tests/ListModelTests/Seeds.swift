import Foundation

/// A small generator that gives the same numbers for the same seed on every machine (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[below(choices.count)] }
}

/// The seeds `1 ... count`, or the one in the variable SAMELIST_SEED alone, to replay it; at most
/// SAMELIST_SEEDS of them, where each costs more than usual.
func seeds(_ count: UInt64) -> [UInt64] {
    if let text = ProcessInfo.processInfo.environment["SAMELIST_SEED"], let seed = UInt64(text) {
        return [seed]
    }
    let most = ProcessInfo.processInfo.environment["SAMELIST_SEEDS"].flatMap(UInt64.init)
    return Array(1...max(1, min(count, most ?? count)))
}

/// What a failing test says, so that it can be replayed.
func replay(_ seed: UInt64, step: Int) -> String {
    "at step \(step); replay with SAMELIST_SEED=\(seed)"
}
