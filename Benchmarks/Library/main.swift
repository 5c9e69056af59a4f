// What the library does in a client's own process, without socket and disk:
//     swift run -c release LibraryBenchmark [--json] [--once] [--bare] [ROW ...]
// Best of three rounds each. A row may be counted by `valgrind --tool=callgrind`: `--once` plays it
// once, without the long lists, `--bare` without what is stored, and with
// `--toggle-collect='*measured*'` only what is timed is counted.
import Glibc
import ListModel
import ListProtocol

struct Row {
    let name: String
    let value: Double
    let unit: String
}

/// CPU time of this process, which other work on the machine stretches least.
func seconds(_ work: () -> Void) -> Double {
    func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let begun = now()
    measured(work)
    return now() - begun
}

/// A name for `valgrind --toggle-collect`.
@inline(never) func measured(_ work: () -> Void) { work() }

/// One's own operations, ten while the disk is busy with the first, microseconds each; the server's
/// answers are not timed. `keepsCopy`: what is to be stored of them is encoded, too.
func local(_ prepared: Prepared, operations: Int, _ keepsCopy: Bool) -> Double {
    var workload = Workload(seed: 1)
    var client = Client(prepared, keepsCopy: keepsCopy)
    var total = 0.0
    for _ in 0..<(operations / 10) {
        let batch = (0..<10).map { _ in workload.next(in: client.truth) }
        total += seconds {
            for operation in batch { client.submit(operation) }
            client.finishWriting()
        }
        client.confirm(batch)
    }
    return total / Double(operations) * 1e6
}

/// Others' operations, so many to a frame, microseconds each, decoding among it. `keepsCopy`: what
/// is to be stored of them is encoded, too.
func remote(
    _ prepared: Prepared, operations: Int, inFrame: Int, _ keepsCopy: Bool
) -> Double {
    var workload = Workload(seed: 2)
    var client = Client(prepared, keepsCopy: keepsCopy)
    var frames: [[UInt8]] = []
    for _ in 0..<(operations / inFrame) {
        frames.append(
            client.foreign((0..<inFrame).map { _ in workload.next(in: client.truth) }))
    }
    let total = seconds { for frame in frames { client.take(frame) } }
    precondition(client.shown.count == client.truth.count, "the client has another list")
    return total / Double(operations) * 1e6
}

/// One operation of somebody else while so many of one's own wait, microseconds.
func underPending(_ pending: Int) -> Double {
    var workload = Workload(seed: 3)
    var client = Client(Prepared(rows: 10_000))
    for _ in 0..<pending { client.submit(workload.next(in: client.shown)) }
    client.finishWriting()
    let frames = (0..<500).map { _ in client.foreign([workload.rename(in: client.truth)]) }
    let total = seconds { for frame in frames { client.take(frame) } }
    return total / 500 * 1e6
}

/// A queue of so many mutations, as an absence leaves it, answered 64 to a frame: microseconds for
/// each.
func queue(_ count: Int, in prepared: Prepared) -> Double {
    var workload = Workload(seed: 5)
    var client = Client(prepared)
    var operations: [Operation] = []
    for _ in 0..<count {
        operations.append(workload.next(in: client.shown))
        client.submit(operations[operations.count - 1])
    }
    client.finishWriting()
    let answers = client.answers(to: operations, inFrame: 64)
    let total = seconds { for answer in answers { client.receive(answer) } }
    precondition(client.waiting == 0, "\(client.waiting) still wait")
    return total / Double(count) * 1e6
}

/// A list of 100,000 for the first time: bytes, and milliseconds until it can be used.
func join() -> (bytes: Int, time: Double) {
    let list = Workload.list(100_000)
    let frames = Client.parts(of: list).map { MessageEncoder.encode(.snapshot(Client.list, $0)) }
    let client = Client(Prepared(ListState()))
    let time = seconds { client.comeBack(frames, list) }
    precondition(client.shown.count == 100_000, "the client has another list")
    return (frames.reduce(0) { $0 + $1.count }, time * 1e3)
}

/// 10,000 renames of 1,000 rows: bytes of the entries and of the snapshot, milliseconds for each.
func comeBack() -> (entries: (Int, Double), snapshot: (Int, Double)) {
    var workload = Workload(seed: 4)
    var client = Client(Prepared(rows: 1_000))
    let frames = (0..<40).map { _ in
        client.foreign((0..<250).map { _ in workload.rename(in: client.truth) })
    }
    let byEntries = seconds { for frame in frames { client.take(frame) } }
    let parts = Client.parts(of: client.truth).map {
        MessageEncoder.encode(.snapshot(Client.list, $0))
    }
    let other = Client(Prepared(rows: 1_000))
    let bySnapshot = seconds { other.comeBack(parts, client.truth) }
    precondition(other.shown.count == client.shown.count, "two ways, two lists")
    func bytes(_ frames: [[UInt8]]) -> Int { frames.reduce(0) { $0 + $1.count } }
    return ((bytes(frames), byEntries * 1e3), (bytes(parts), bySnapshot * 1e3))
}

let words = CommandLine.arguments.dropFirst()
let isOnce = words.contains("--once")

func best(_ measure: () -> Double) -> Double {
    (0..<(isOnce ? 1 : 3)).map { _ in measure() }.min() ?? 0
}

let kinds = words.contains("--bare") ? [("", false)] : [("", false), ("_kept", true)]
let sizes = isOnce ? [10_000] : [10_000, 1_000_000]

let rows: [(name: String, measure: () -> [Row])] = [
    (
        "local",
        {
            sizes.flatMap { size in
                let prepared = Prepared(rows: size)
                return kinds.map { kind, keepsCopy in
                    let time = best { local(prepared, operations: 100_000, keepsCopy) }
                    return Row(name: "local\(kind)_\(size)", value: time, unit: "us")
                }
            }
        }
    ),
    (
        "remote",
        {
            let lists = sizes.map { Prepared(rows: $0) }
            let together = lists.flatMap { prepared in
                kinds.map { kind, keepsCopy in
                    Row(
                        name: "remote\(kind)_\(prepared.list.count)",
                        value: best {
                            remote(prepared, operations: 100_000, inFrame: 50, keepsCopy)
                        }, unit: "us")
                }
            }
            let alone = best { remote(lists[0], operations: 50_000, inFrame: 1, false) }
            return together + [Row(name: "remote_10000_alone", value: alone, unit: "us")]
        }
    ),
    (
        "pending",
        {
            [0, 100].map { pending in
                let time = best { underPending(pending) }
                return Row(name: "under_pending_\(pending)", value: time, unit: "us")
            }
        }
    ),
    (
        "queue",
        {
            let prepared = Prepared(rows: 10_000)
            return [100, 1_000, 10_000].map { count in
                let time = best { queue(count, in: prepared) }
                return Row(name: "queue_\(count)", value: time, unit: "us")
            }
        }
    ),
    (
        "join",
        {
            let (bytes, _) = join()
            return [
                Row(name: "join_bytes", value: Double(bytes), unit: "B"),
                Row(name: "join_ms", value: best { join().time }, unit: "ms"),
            ]
        }
    ),
    (
        "come-back",
        {
            let (entries, snapshot) = comeBack()
            return [
                Row(name: "come_back_entries_bytes", value: Double(entries.0), unit: "B"),
                Row(name: "come_back_entries_ms", value: entries.1, unit: "ms"),
                Row(name: "come_back_snapshot_bytes", value: Double(snapshot.0), unit: "B"),
                Row(name: "come_back_snapshot_ms", value: snapshot.1, unit: "ms"),
            ]
        }
    ),
    (
        "length",
        {
            [100, 1_000, 10_000, 100_000, 1_000_000].map { size in
                let prepared = Prepared(rows: size)
                let time = best { local(prepared, operations: 10_000, true) }
                return Row(name: "edit_in_\(size)", value: time, unit: "us")
            }
        }
    ),
]

let wanted = words.filter { !$0.hasPrefix("-") }
if let unknown = wanted.first(where: { word in !rows.contains { $0.name == word } }) {
    print("no row \(unknown); there are: \(rows.map(\.name).joined(separator: ", "))")
} else {
    let chosen = rows.filter { wanted.isEmpty || wanted.contains($0.name) }
    let results = chosen.flatMap { $0.measure() }
    if words.contains("--json") {
        let members = results.map { "\"\($0.name)\":\($0.value)" }
        print("{" + members.joined(separator: ",") + "}")
    } else {
        for row in results { print("\(row.name): \(row.value) \(row.unit)") }
    }
}
