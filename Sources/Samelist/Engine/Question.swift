internal import ListModel
internal import ListProtocol
internal import ListReplica

/// A question to the server, and its answer once that is there.
@MainActor
final class Question {
    private(set) var reply: Reply?
    private let signal = Signal()

    func answered(_ reply: Reply) {
        self.reply = reply
        signal.raise()
    }

    /// `nil`: the task was cancelled.
    func answer() async -> Reply? {
        while reply == nil, !Task.isCancelled { await signal.wait() }
        return reply
    }
}

extension ListClient {
    /// Asks the server, and waits for its answer or the end of the connection.
    func ask(_ question: (RequestID) -> ClientMessage) async throws(ListError) -> Reply {
        try await untilConnected()
        // The core sends on the next turn of the pump, so the question is known before its answer.
        let asking = Question()
        let request = perform { core, now in
            let request = core.ask(question, at: now)
            if let request { asked[request] = asking }
            return request
        }
        guard request != nil else {
            throw trouble
                ?? ListError(.unreachable, "there is no server to ask; try again once it is back")
        }
        switch await asking.answer() {
        case .error(let refusal)?: throw ListError(refusal)
        case let reply?: return reply
        case nil: throw ListError(.cancelled, saying: "the answer was not waited for")
        }
    }
}
