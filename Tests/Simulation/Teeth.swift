internal import ListModel

/// Whether the checkers find what is planted.
package struct Teeth: Sendable {
    /// Seeds in which a fault must be found, and operations of each.
    static let seeds: UInt64 = 2_000
    static let each = 300

    let jobs: Int

    package init(jobs: Int) { self.jobs = jobs }

    /// Tries the fault of this name, which is shown as a short script; or `all`; or `some:N`, a
    /// handful that goes round with N. Prints a line for each. False where one is not found.
    package func bite(_ name: String) async -> Bool {
        #if SAMELIST_FAULTS
            let chosen = Self.chosen(name)
            guard !chosen.isEmpty else {
                print("no fault \(name); there are: \(Faults.allCases.map(\.rawValue))")
                return false
            }
            var failed = 0
            for fault in chosen where await !isFound(fault, isShown: chosen.count == 1) {
                failed += 1
            }
            print("\(chosen.count - failed) passed, \(failed) failed")
            return failed == 0
        #else
            print("this build has no faults: make teeth")
            return false
        #endif
    }

    #if SAMELIST_FAULTS
        private static func chosen(_ name: String) -> [Faults] {
            let all = Faults.allCases
            if name == "all" { return all }
            guard name.hasPrefix("some:"), let start = Int(name.dropFirst(5)) else {
                return all.filter { $0.rawValue == name }
            }
            return (0..<6).map { all[(start * 6 + $0) % all.count] }
        }

        private func isFound(_ fault: Faults, isShown: Bool) async -> Bool {
            Faults.planted = fault
            defer { Faults.planted = nil }
            var found: Simulation.Result?
            let campaign = Campaign(seeds: 1..<Self.seeds + 1, each: Self.each, jobs: jobs)
            await campaign.results { result in
                if result.complaint != nil { found = result }
                return found == nil
            }
            let name = fault.rawValue.padded(to: 26)
            guard let found, let complaint = found.complaint else {
                print("\(name) NOT FOUND in \(Self.seeds) seeds")
                return false
            }
            print("\(name) seed \("\(found.seed)".padded(to: 5)) \(complaint.checker.rawValue)")
            guard isShown else { return true }
            let scenario = Scenario(seed: found.seed, operations: Self.each)
            for line in Shrinking.shrink(scenario, to: found).script { print("    \(line)") }
            return true
        }
    #endif
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
