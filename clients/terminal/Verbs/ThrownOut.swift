internal import ListModel
internal import ListProtocol

extension Refusal {
    /// Of a connection that the server ended for good: why, and what becomes of the work.
    ///
    /// - Parameter again: what brings the client back.
    func whyThrownOut(_ again: String) -> String {
        var why = sentence
        while why.last == "." { why.removeLast() }
        if code == .notAllowed, sentence == CloseCode.replacedSentence {
            why = "another program uses a copy of this client's state"
        }
        return "\(why); what is not sent waits here, and \(again)"
    }
}
