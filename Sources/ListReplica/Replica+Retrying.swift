package import ListModel

/// A list that the server cannot give for now is asked for again, ever more rarely; that is told
/// once.
extension Replica {
    struct Retrying {
        /// When it is asked for again.
        let at: Timestamp
        let failures: Int
        /// The reason, of which the user knows.
        let code: Code
    }

    /// The server may do better later. True where the user is to be told.
    func retryLater(_ refusal: Refusal, _ now: Timestamp, _ pause: (Int) -> Int64) -> Bool {
        switch refusal.code {
        case .storageFailed, .draining, .tooManyRequests: break
        default:
            retrying = nil
            return true
        }
        let failures = retrying?.failures ?? 0
        defer {
            let at = now.adding(milliseconds: pause(failures))
            retrying = Retrying(at: at, failures: failures + 1, code: refusal.code)
        }
        return retrying?.code != refusal.code
    }

    /// When it asks again; `nil`: it does not.
    var nextTick: Timestamp? {
        guard case .failed = sync else { return nil }
        return retrying?.at
    }
}

extension ClientCore {
    func retryLists(_ now: Timestamp) {
        guard link.isOnline else { return }
        for replica in inOrder {
            if let at = replica.nextTick, at <= now { replica.open(session: session) }
        }
    }

    /// When `tick` is due next; `nil`: only after the next event.
    package var nextTick: Timestamp? {
        let lists = link.isOnline ? replicas.values.compactMap(\.nextTick) : []
        return ([link.nextTick, nextSave, nextRenewal].compactMap { $0 } + lists).min()
    }
}
