/// A short script that still fails in the same way, by delta debugging (Zeller and Hildebrandt,
/// "Simplifying and isolating failure-inducing input", 2002): whatever can be left out is.
package struct Shrinking {
    /// Runs of the simulation at most.
    package static let most = 500

    private let checker: Checker
    private var runs = 0

    package static func shrink(_ scenario: Scenario, to failure: Simulation.Result)
        -> Simulation.Result
    {
        guard let complaint = failure.complaint else { return failure }
        var shrinking = Shrinking(checker: complaint.checker)
        var short = scenario
        short.steps = shrinking.shrink(scenario)
        return Simulation.run(short, isVerbose: true)
    }

    private init(checker: Checker) { self.checker = checker }

    private mutating func shrink(_ scenario: Scenario) -> [Step] {
        var steps = scenario.steps
        var size = max(1, steps.count / 2)
        while runs < Self.most {
            var from = 0
            var isShorter = false
            while from < steps.count, runs < Self.most {
                var fewer = scenario
                fewer.steps = Array(steps[..<from] + steps.dropFirst(from + size))
                if fails(fewer) {
                    steps = fewer.steps
                    isShorter = true
                } else {
                    from += size
                }
            }
            if size == 1, !isShorter { break }
            size = isShorter && size == 1 ? 1 : max(1, size / 2)
        }
        return steps
    }

    private mutating func fails(_ scenario: Scenario) -> Bool {
        runs += 1
        return Simulation.run(scenario).complaint?.checker == checker
    }
}
