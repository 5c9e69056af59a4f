internal import Samelist

/// What other clients of a kind keep that no process has: it waits until somebody takes it up.
enum KeptElsewhere {
    /// Which, how much, and what goes on with it; `nil` where nothing waits.
    static func sentence(_ others: [ClientIdentity.Other], isScreen: Bool = false) -> String? {
        let waiting = others.flatMap { other in other.work.map { (other.client, $0) } }
        guard let (client, work) = waiting.first else { return nil }
        var amounts: [String] = []
        if work.pending > 0 { amounts.append(Verbs.counted(work.pending, "unsent change")) }
        if work.drafts > 0 { amounts.append(Verbs.counted(work.drafts, "draft")) }
        let whose = isScreen ? "open \(work.list)" : "shell"
        let more = waiting.count > 1 ? " (and \(waiting.count - 1) more: samelist status)" : ""
        return "\(client) keeps \(amounts.joined(separator: " and ")) of \(work.list); "
            + "a second samelist \(whose) goes on with it\(more)"
    }
}
