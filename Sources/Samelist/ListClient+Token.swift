internal import ListModel
internal import ListProtocol
internal import ListReplica

/// Showing the server who this is.
extension ListClient {
    /// A message with the token in it, where that is its place. Empty: there is none to show, and
    /// the connection is tried again later.
    func bearing(_ message: ClientMessage) -> [ClientMessage] {
        guard case .hello(var hello) = message, let token else { return [message] }
        do throws(ListError) {
            hello.token = try token.read()
            return [.hello(hello)]
        } catch {
            trouble = error
            surroundings.disconnect()
            core.handle(.disconnected(code: nil, sentence: error.sentence), at: now)
            return []
        }
    }

    /// The token as it is by now.
    func renewal(_ request: RequestID) -> [ClientMessage] {
        guard let token, let text = try? token.read() else {
            core.notRenewed(request, at: now)
            return []
        }
        return [.renew(request, token: text)]
    }
}
