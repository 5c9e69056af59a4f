import Threads

/// Random numbers from one seed: the same ones in every run (SplitMix64; Steele, Lea and Flood,
/// 2014).
package struct Randomness: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// True so many times in a thousand.
    package mutating func happens(_ perMille: Int) -> Bool {
        perMille > 0 && Int.random(in: 0..<1_000, using: &self) < perMille
    }

    package mutating func pick<Choices: Collection>(_ choices: Choices) -> Choices.Element {
        guard let chosen = choices.randomElement(using: &self) else {
            preconditionFailure("nothing to choose from")
        }
        return chosen
    }

    /// A word that nothing else in the run has.
    package mutating func word() -> String { String(next(), radix: 36) }
}

/// The same for closures that may be called from anywhere.
final class SharedRandomness: Sendable {
    private let source: Locked<Randomness>

    init(seed: UInt64) { source = Locked(Randomness(seed: seed)) }

    func number(below bound: Int64) -> Int64 {
        source.withLock { Int64.random(in: 0..<bound, using: &$0) }
    }
}
