package import ListModel
package import ListProtocol

/// How many answers were given, by what they came to.
package struct AnswerTally: Sendable {
    /// By `logged`, `nothing` or the code of the refusal.
    package private(set) var answers: [String: UInt64] = [:]
    /// Operations of what was logged, or came to nothing.
    package private(set) var skips: [Code: UInt64] = [:]

    mutating func count(_ message: ServerMessage) {
        switch message {
        case .outcome(_, _, let answer): count(answer.outcome)
        case .error(_, _, let refusal): answers[refusal.code.rawValue, default: 0] += 1
        default: break
        }
    }

    private mutating func count(_ outcome: Outcome) {
        switch outcome {
        case .logged(_, let skips):
            answers["logged", default: 0] += 1
            for skip in skips { self.skips[skip.code, default: 0] += 1 }
        case .nothing(let skips):
            answers["nothing", default: 0] += 1
            for skip in skips { self.skips[skip.code, default: 0] += 1 }
        case .refused(let refusal): answers[refusal.code.rawValue, default: 0] += 1
        }
    }
}

/// Something that was refused, for the log.
package struct Refused: Hashable, Sendable {
    package let connection: ConnectionID
    package let code: Code
    package let list: ListName?
    /// The number of the question, or of the mutation.
    package let request: RequestID?
    package let n: MutationNumber?
}

extension Authority {
    /// Between two times that they are taken; more are not kept.
    private static let mostRefused = 1_000

    /// What was refused since it was last asked; only while `keepsRefused` is set.
    package func takeRefused() -> [Refused] {
        defer { refused = [] }
        return refused
    }

    func note(_ message: ServerMessage, to id: ConnectionID) {
        tally.count(message)
        guard keepsRefused, refused.count < Self.mostRefused else { return }
        switch message {
        case .error(let request, let list, let refusal):
            refused.append(
                Refused(
                    connection: id, code: refusal.code, list: list, request: request, n: nil))
        case .outcome(let list, let n, let answer):
            guard case .refused(let refusal) = answer.outcome else { return }
            refused.append(
                Refused(connection: id, code: refusal.code, list: list, request: nil, n: n))
        default: break
        }
    }

    /// Lists that there are, and those of them in memory. Cost: a look at each.
    package var listCount: (all: Int, inMemory: Int) {
        let inMemory = lists.values.count { if case .hosted = $0 { true } else { false } }
        return (lists.count, inMemory)
    }
}
