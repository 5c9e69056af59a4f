internal import Glibc

/// Asking the user, on a terminal only.
extension Invocation {
    private var canAsk: Bool {
        settings.asks && StandardStreams.isTerminal(STDIN_FILENO)
            && StandardStreams.isTerminal(STDERR_FILENO)
    }

    /// Goes on where the user types `word`.
    func confirmTyping(_ word: String, _ question: String) throws(Failure) {
        guard canAsk else {
            throw .usage("\(verb.name) needs --force where it cannot ask.")
        }
        guard answer(to: question) == word else {
            throw Failure(.refused, "not_confirmed", "nothing was done.")
        }
    }

    /// Goes on where the user says yes; without a terminal there is nobody to ask.
    func confirm(_ question: String) throws(Failure) {
        guard !has(.force), StandardStreams.isTerminal(STDIN_FILENO) else { return }
        guard canAsk else { throw .usage("\(verb.name) needs --force where it cannot ask.") }
        guard let answer = answer(to: question + " [y/N] "), answer == "y" || answer == "yes" else {
            throw Failure(.refused, "not_confirmed", "nothing was done.")
        }
    }

    private func answer(to question: String) -> String? {
        StandardStreams.write(Array(question.utf8), to: STDERR_FILENO)
        return readLine()
    }
}
