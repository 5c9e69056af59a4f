import Testing

@testable import Simulation

@Suite("Everything that can go wrong, from one seed") struct SimulationTests {
    @Test(arguments: UInt64(1)...60)
    func `nothing is lost, nothing twice, nobody is left untold`(_ seed: UInt64) {
        let result = Simulation.run(Scenario(seed: seed, operations: 200))
        #expect(result.complaint == nil, "\(result.script.joined(separator: "\n"))")
    }

    @Test func `a seed replays bit for bit`() {
        let scenario = Scenario(seed: 7, operations: 300)
        #expect(Simulation.run(scenario).trace == Simulation.run(scenario).trace)
    }

    @Test func `and so it does beside others`() async {
        #expect(await traces(jobs: 1) == traces(jobs: 2))
    }

    private func traces(jobs: Int) async -> [UInt64: UInt64] {
        var traces: [UInt64: UInt64] = [:]
        await Campaign(seeds: 1..<9, each: 100, jobs: jobs).results { result in
            traces[result.seed] = result.trace
            return true
        }
        return traces
    }
}
