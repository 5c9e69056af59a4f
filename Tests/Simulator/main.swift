import Foundation
import Simulation

/// `OPS` operations from `SEED` on, `EACH` in one run; with `FAULT` (a name, or `all`) the seeds
/// that find planted faults.
let environment = ProcessInfo.processInfo.environment
func number(_ name: String, _ otherwise: Int) -> Int {
    environment[name].flatMap { Int($0) } ?? otherwise
}

let jobs = max(1, number("JOBS", ProcessInfo.processInfo.activeProcessorCount))
if let name = environment["FAULT"] {
    exit(await Teeth(jobs: jobs).bite(name) ? 0 : 1)
}
let each = number("EACH", 1_000)
let operations = number("OPS", environment["SEED"] == nil ? 100_000 : each)
let first = UInt64(number("SEED", 1))
let campaign = Campaign(
    seeds: first..<first + UInt64(max(1, operations / each)), each: each, jobs: jobs)
exit(await campaign.run(shrinking: number("SHRINK", 1)) ? 0 : 1)
