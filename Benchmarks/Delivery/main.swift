// What the authority spends on one delivered entry, without a socket: instructions by
// `valgrind --tool=callgrind`, nanoseconds without. `DeliveryBenchmark [SUBSCRIBERS [EDITS]]`.
import ListAuthority
import ListModel
import ListProtocol

let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
let subscribers = arguments.first ?? 1_000
let edits = arguments.dropFirst().first ?? 200

var word = 0
let authority = Authority(
    freshWord: {
        word += 1
        return "word\(word)"
    })
var now = Timestamp(milliseconds: 1_767_225_600_000)
var head = Version.zero
var batch: [[UInt8]] = []
guard let list = ListName("bench"), let title = FieldName("title"),
    let element = ElementID("k7f3a9c2e1b84"), let user = UserName("ana")
else { preconditionFailure("the names of the benchmark are not names") }

/// Does what a server does in one turn of its loop. Answers the frames that were sent.
@MainActor func turn() -> Int {
    var frames = 0
    for id in authority.takeDue() {
        var isMore = true
        while isMore {
            batch.removeAll(keepingCapacity: true)
            isMore = authority.takeFrames(for: id, bytes: 128 << 10, into: &batch)
            frames += batch.count
        }
    }
    return frames
}

/// All that the storage is asked, as if it had been done.
@MainActor func store() {
    for work in authority.takeStorageWork() {
        switch work {
        case .append(let name, _, let records):
            head = head.advanced(by: records.count)
            authority.handle(.appended(name, head), at: now)
        case .create(let name, _): authority.handle(.created(name, nil), at: now)
        default: break
        }
    }
}

authority.handle(.started(lists: [], deletions: []), at: now)
for number in 1...UInt64(subscribers) {
    guard let client = ClientID("client-\(number)") else { continue }
    let id = ConnectionID(number)
    authority.handle(.connected(id), at: now)
    authority.handle(.message(id, .hello(.init(client: client, name: user))), at: now)
    authority.handle(.message(id, .open(.init(list: list, create: true))), at: now)
    store()
    _ = turn()
}

@MainActor func submit(_ n: Int, _ operation: Operation) -> Int {
    let submission = ClientMessage.Submission(
        list: list, n: MutationNumber(UInt64(n)), heard: MutationNumber(UInt64(n - 1)),
        operations: [operation])
    authority.handle(.message(ConnectionID(1), .submit(submission)), at: now)
    store()
    return turn()
}
_ = submit(1, Operation(.insert(element, at: .first, Fields([title: .text("Milk")]))))
var delivered = 0
let begun = ContinuousClock.now
for n in 2..<(edits + 2) {
    let text = Value.text("Milk, two bottles \(n)")
    delivered += submit(n, Operation(.set(element, Fields([title: text]))))
}
let spent = ContinuousClock.now - begun
let parts = spent.components
let nanoseconds = Double(parts.attoseconds) / 1e9 + Double(parts.seconds) * 1e9
print("\(delivered) deliveries, \(Int(nanoseconds) / max(1, delivered)) ns each")
