package import ListModel
internal import ListProtocol

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

extension Authority {
    /// Lists that there are, and those of them in memory. Cost: a look at each.
    package var listCount: (all: Int, inMemory: Int) {
        let inMemory = lists.values.count { if case .hosted = $0 { true } else { false } }
        return (lists.count, inMemory)
    }
}
