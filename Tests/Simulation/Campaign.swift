/// Many seeds, several at a time.
package struct Campaign: Sendable {
    let seeds: Range<UInt64>
    /// Operations of one run.
    let each: Int
    let jobs: Int

    package init(seeds: Range<UInt64>, each: Int, jobs: Int) {
        self.seeds = seeds
        self.each = each
        self.jobs = jobs
    }

    /// Runs all, prints what fails, the first few with a short script, and the figures. False where
    /// any failed.
    package func run(shrinking: Int) async -> Bool {
        let clock = ContinuousClock()
        let began = clock.now
        var operations = 0
        var failed = 0
        var trace: UInt64 = 0
        await results { result in
            operations += result.operations
            trace ^= result.trace
            if result.complaint != nil {
                failed += 1
                print(report(result, isShrunk: failed <= shrinking))
            }
            return true
        }
        let time = (clock.now - began).components
        let seconds = Double(time.seconds) + Double(time.attoseconds) / 1e18
        print(
            "\(operations) operations from \(seeds.count) seeds in \(Int(seconds)) s, "
                + "\(Int(Double(operations) / seconds)) a second, trace \(trace)")
        print("\(seeds.count - failed) passed, \(failed) failed")
        return failed == 0
    }

    private func report(_ result: Simulation.Result, isShrunk: Bool) -> String {
        guard let complaint = result.complaint else { return "" }
        let line = "seed \(result.seed): \(complaint)"
        let scenario = Scenario(seed: result.seed, operations: each)
        // One seed that is not to be shrunk is to be read whole.
        guard isShrunk || seeds.count == 1 else { return line }
        let short =
            isShrunk
            ? Shrinking.shrink(scenario, to: result) : Simulation.run(scenario, isVerbose: true)
        let script = short.script.map { "    \($0)" }.joined(separator: "\n")
        return "\(line)\nSEED=\(result.seed) EACH=\(each)\n\(script)"
    }

    /// Results as they come, until `body` has had enough.
    func results(_ body: (Simulation.Result) -> Bool) async {
        await withTaskGroup(of: Simulation.Result.self) { group in
            var next = seeds.lowerBound
            func add() {
                guard next < seeds.upperBound else { return }
                let scenario = Scenario(seed: next, operations: each)
                next += 1
                group.addTask { Simulation.run(scenario) }
            }
            for _ in 0..<jobs { add() }
            for await result in group {
                guard body(result) else { return group.cancelAll() }
                add()
            }
        }
    }
}
