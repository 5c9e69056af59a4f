import ListModel
import ListProtocol
import Testing

/// A client's end of a connection: reads frames, keeps replicas, and finds fault with what does not
/// fit.
final class Peer {
    let client: ClientID
    let number: UInt64
    var isCut = false
    /// Takes nothing until it is woken.
    var isStalled = false
    var replicas: [ListName: Copy] = [:]
    private(set) var messages: [ServerMessage] = []
    private(set) var frames: [[UInt8]] = []
    /// Whether the log holds a version of a list, as far as the authority was told.
    var isDurable: (ListName, Version) -> Bool = { _, _ in true }
    private let decoder = MessageDecoder(limits: Limits())

    struct Copy {
        var epoch: Epoch?
        var state = ListState()
        var isWhole = false
        var isCaughtUp = false
        /// Versions in the order in which they came live or by catch-up.
        var versions: [Version] = []
        var snapshots = 0
        var parts = 0
    }

    init(_ client: ClientID, number: UInt64) {
        self.client = client
        self.number = number
    }

    func receive(_ frame: [UInt8]) {
        frames.append(frame)
        do {
            let message = try decoder.decodeServerMessage(frame)
            messages.append(message)
            try take(message)
        } catch {
            Issue.record("\(client): \(error) in \(String(decoding: frame, as: UTF8.self))")
        }
    }

    private func take(_ message: ServerMessage) throws {
        switch message {
        case .snapshot(let name, let part): take(part, of: name)
        case .entries(let name, let entries):
            for entry in entries { try take(entry, of: name) }
        case .caughtUp(let name, let position, _, _):
            #expect(replicas[name]?.state.head == position.version)
            #expect(isDurable(name, position.version))
            replicas[name]?.epoch = position.epoch
            replicas[name]?.isCaughtUp = true
        case .outcome(let name, _, let answer):
            guard case .logged(let version, _) = answer.outcome else { return }
            #expect(isDurable(name, version), "told before durable")
            if let copy = replicas[name] {
                #expect(copy.state.head >= version, "an outcome overtook its entry")
            }
        case .pong(_, .some(let name), .some(let version)):
            if let copy = replicas[name], copy.isCaughtUp {
                #expect(copy.state.head >= version)
            }
        case .gone(let name, _): replicas[name] = nil
        default: break
        }
    }

    private func take(_ part: SnapshotPart, of name: ListName) {
        var copy = replicas[name] ?? Copy()
        if part.index == 0 {
            copy.state = ListState(
                head: part.position.version, title: part.title, schema: part.schema)
            copy.isCaughtUp = false
            copy.snapshots += 1
            copy.parts = 0
        }
        #expect(part.index == copy.parts && part.position.version == copy.state.head)
        #expect(isDurable(name, part.position.version))
        copy.parts += 1
        copy.epoch = part.position.epoch
        let fits = copy.state.append(part.rows)
        #expect(fits)
        copy.isWhole = part.isLast
        replicas[name] = copy
    }

    private func take(_ entry: Entry, of name: ListName) throws {
        #expect(isDurable(name, entry.version), "entry \(entry.version) told before durable")
        #expect(replicas[name]?.isWhole ?? false)
        try replicas[name]?.state.apply(entry)
        replicas[name]?.versions.append(entry.version)
    }
}

extension Peer {
    /// Takes what came since the last look.
    func takeMessages() -> [ServerMessage] {
        defer { messages = [] }
        return messages
    }

    func outcomes(of n: UInt64) -> [ServerMessage.Answer] {
        messages.compactMap { message in
            guard case .outcome(_, MutationNumber(n), let answer) = message else { return nil }
            return answer
        }
    }

    func outcome(of n: UInt64) -> Outcome? { outcomes(of: n).last?.outcome }

    var goodbye: ServerMessage.Goodbye? {
        for case .goodbye(let goodbye) in messages { return goodbye }
        return nil
    }

    var refusals: [Code] {
        messages.compactMap { message in
            guard case .error(_, _, let refusal) = message else { return nil }
            return refusal.code
        }
    }
}
