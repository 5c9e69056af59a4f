// What one message costs in each direction, best of five rounds: `swift run -c release
// CodecBenchmark`.
import ListModel
import ListProtocol

let submit = """
    {"t":"submit","list":"groceries","n":1234,"heard":1230,"ops":[{"set":"k7f3a9c2e1b84",\
    "f":{"done":false,"title":"Milk, two bottles"}}],"epoch":"Ab12.Cd34"}
    """
let decoder = MessageDecoder(limits: Limits())

func nanoseconds(_ name: String, bytes: Int, times: Int, _ work: () throws -> Void) rethrows {
    var best = Duration.seconds(1_000)
    for _ in 0..<5 {
        best = min(best, try ContinuousClock().measure { for _ in 0..<times { try work() } })
    }
    let each = Double(best.components.attoseconds) / 1e9 / Double(times)
    let total = each + Double(best.components.seconds) * 1e9 / Double(times)
    let rate = Double(bytes) / total * 1_000
    print("\(name): \(Int(total)) ns for \(bytes) bytes, \(Int(rate)) MB/s")
}

let submitBytes = Array(submit.utf8)
let submission = try decoder.decodeClientMessage(submitBytes)
precondition(MessageEncoder.encode(submission) == submitBytes, "the sample is not canonical")
try nanoseconds("submit decode", bytes: submitBytes.count, times: 200_000) {
    _ = try decoder.decodeClientMessage(submitBytes)
}
nanoseconds("submit encode", bytes: submitBytes.count, times: 200_000) {
    _ = MessageEncoder.encode(submission)
}

let rows = (0..<500).map { number in
    """
    ["k7f3a9c2e1b\(number)",\(number + 3),\(number + 1),0,1767225600000,\
    {"done":false,"title":"Milk, two bottles \(number)"}]
    """
}
let snapshot = """
    {"t":"snapshot","list":"groceries","epoch":"Ab12.Cd34","version":900,"part":1,\
    "names":["ana"],"rows":[\(rows.joined(separator: ","))]}
    """
let snapshotBytes = Array(snapshot.utf8)
let message = try decoder.decodeServerMessage(snapshotBytes)
precondition(MessageEncoder.encode(message) == snapshotBytes, "the sample is not canonical")
try nanoseconds("snapshot decode", bytes: snapshotBytes.count, times: 500) {
    _ = try decoder.decodeServerMessage(snapshotBytes)
}
nanoseconds("snapshot encode", bytes: snapshotBytes.count, times: 500) {
    _ = MessageEncoder.encode(message)
}
