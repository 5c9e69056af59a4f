internal import ListModel
internal import ListProtocol
internal import Samelist

/// What is in the way between a verb and the server or a list, and what to do about it.
extension Failure {
    /// - Parameter why: what was in the way; `nil`: the server did not answer in time.
    init(
        noConnectionTo settings: Settings, _ why: String?, rest: String = "", advice: String = ""
    ) {
        guard var why else {
            self.init(
                .timedOut, "timed_out",
                "the server at \(settings.server) did not answer in \(settings.seconds)\(rest); "
                    + "try --timeout 60.")
            return
        }
        while why.last == "." { why.removeLast() }
        self.init(
            .unreachable, "unreachable",
            "cannot reach the server at \(settings.server)\(rest): \(why).\(advice)")
    }

    /// A refusal that has to do with a list: where there is none, what to do.
    init(_ refusal: Refusal, of name: ListName?) {
        if let name, refusal.code == .noSuchList {
            self.init(missing: name, near: nil)
        } else {
            self.init(refusal)
        }
    }

    init(missing name: ListName, near: String?) {
        let advice = near.map { " Did you mean \($0)?" } ?? ""
        self.init(
            .refused, Code.noSuchList.rawValue,
            "there is no list \(name).\(advice) Make it with samelist new \(name); "
                + "samelist lists shows those there are.")
        missing = name
    }

    /// Work waits here for a list of which the server has heard nothing.
    init(lost name: ListName) {
        self.init(
            .refused, Code.noSuchList.rawValue,
            "the server has no list \(name), though work waits for it on this machine: its data "
                + "may have been reset. Ask for a backup to be restored; samelist new \(name) "
                + "makes another list, which refuses that work. samelist status shows it.")
        missing = name
    }

    /// A refusal of a list that was open: one that the server knows no more has vanished, though
    /// nobody deleted it.
    init(_ refusal: Refusal, ending name: ListName) {
        guard refusal.code == .noSuchList else {
            self.init(refusal)
            return
        }
        self.init(
            .vanished, refusal.code.rawValue,
            "the server no longer knows the list \(name), though nobody deleted it: its data may "
                + "have been reset. Ask for a backup to be restored; samelist lists shows those "
                + "there are.")
    }

    init(_ gone: ServerMessage.Gone, of name: ListName) {
        let by = gone.by.map { " by \($0)" } ?? ""
        let sentence =
            gone.code == .accessLost
            ? "the right to read the list \(name) was taken away."
            : "the list \(name) was deleted\(by)."
        self.init(ExitCode(gone.code), gone.code.rawValue, sentence)
    }
}
