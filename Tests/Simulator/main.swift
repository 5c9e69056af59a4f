import Foundation
import Simulation

let environment = ProcessInfo.processInfo.environment
func number(_ name: String, _ otherwise: Int) -> Int {
    environment[name].flatMap { Int($0) } ?? otherwise
}

let perSeed = number("EACH", 1_000)
let seed = number("SEED", 1)
let wanted = number("OPS", environment["SEED"] == nil ? 100_000 : perSeed)
let seeds = UInt64(seed)..<UInt64(seed + max(1, wanted / perSeed))
let clock = ContinuousClock()
let began = clock.now
var failures = 0
var trace: UInt64 = 0
var operations = 0

await withTaskGroup(of: Simulation.Result.self) { group in
    var next = seeds.lowerBound
    func add() {
        guard next < seeds.upperBound else { return }
        let seed = next
        next += 1
        group.addTask {
            Simulation.run(Scenario(seed: seed, operations: perSeed))
        }
    }
    for _ in 0..<max(1, number("JOBS", 2)) { add() }
    for await result in group {
        operations += result.operations
        trace ^= result.trace
        if let complaint = result.complaint {
            failures += 1
            print("seed \(result.seed): \(complaint)")
            if failures <= number("SHRINK", 1) {
                let scenario = Scenario(seed: result.seed, operations: perSeed)
                let short = Shrinking.shrink(scenario, to: result)
                print(short.script.map { "    \($0)" }.joined(separator: "\n"))
            }
        }
        add()
    }
}

let seconds =
    Double((clock.now - began).components.seconds)
    + Double((clock.now - began).components.attoseconds) / 1e18
print(
    "\(operations) operations, \(seeds.count) seeds, \(failures) failed, "
        + "\(Int(Double(operations) / seconds)) operations a second, trace \(trace)")
exit(failures == 0 ? 0 : 1)
