internal import ListAuthority
internal import Storage
internal import WebSockets

/// How a drain ended.
package struct Drained: Sendable {
    /// Clients that did not leave in time.
    package let clientsLeft: Int
    /// Entries of all lists, all of them on disk; `nil` where the storage was not done in time.
    package let entries: UInt64?
}

/// A drain on its way.
struct Drain {
    /// Told once, on the storage's thread or on ours.
    let done: @Sendable (Drained) -> Void
    let timer: LoopTimer
}

/// Ending without hurry: what is under way is answered, then every client is told when to come
/// back.
extension Service {
    /// When clients are told to come back, at the earliest, in milliseconds.
    private static let retry: Int64 = 500

    func drain(_ done: @escaping @Sendable (Drained) -> Void) {
        loop.preconditionOnLoop()
        guard case .serving(let serving) = state else { return }
        log(.debug, "draining", ["clients": "\(sessions.count)"])
        let timer = loop.after(milliseconds: options.drainMilliseconds) { [self] in
            log(.warning, "drain-late", ["clients": "\(sessions.count)", "jobs": "\(jobs)"])
            conclude()
        }
        state = .finishing(serving, Drain(done: done, timer: timer))
        schedulePump()
    }

    /// Called after each pump, when nothing more is to be done for now.
    func proceedWithDrain() {
        switch state {
        case .finishing(let serving, let drain) where jobs == 0:
            state = .leaving(serving, drain)
            for realm in realms.values { handle(.drain(retry: Self.retry), in: realm) }
        case .leaving where jobs == 0 && sessions.isEmpty: conclude()
        case .loading, .serving, .finishing, .leaving, .drained: break
        }
    }

    /// The storage's own answer comes behind all that was posted before.
    private func conclude() {
        let left = sessions.count
        switch state {
        case .leaving(let serving, let drain) where jobs == 0:
            drain.timer.cancel()
            let done = drain.done
            let accepted = serving.storage.post(
                .perform { archive in
                    done(Drained(clientsLeft: left, entries: archive.entryCount))
                })
            if !accepted { done(Drained(clientsLeft: left, entries: nil)) }
        case .finishing(_, let drain), .leaving(_, let drain):
            drain.done(Drained(clientsLeft: left, entries: nil))
        case .loading, .serving, .drained: return
        }
        state = .drained
    }
}
