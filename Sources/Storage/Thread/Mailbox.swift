internal import Threads

/// Where any thread puts jobs and one thread takes them, all at once.
final class Mailbox<Job: Sendable>: Sendable {
    private struct Contents {
        var jobs: [Job] = []
        var isClosed = false
    }

    private let contents = Locked(Contents())
    private let wake = Wake()

    /// False once closed. Wakes the taker only when it may be asleep.
    func put(_ job: Job) -> Bool {
        let (accepted, wasEmpty) = contents.withLock { contents in
            if contents.isClosed { return (false, false) }
            contents.jobs.append(job)
            return (true, contents.jobs.count == 1)
        }
        if wasEmpty { wake.call() }
        return accepted
    }

    /// Waits for jobs; `nil` once the mailbox is closed and empty.
    func take() -> [Job]? {
        while true {
            let (jobs, isClosed) = contents.withLock { contents in
                defer { contents.jobs = [] }
                return (contents.jobs, contents.isClosed)
            }
            if !jobs.isEmpty { return jobs }
            if isClosed { return nil }
            wake.wait()
        }
    }

    /// Refuses further jobs; true the first time.
    func close() -> Bool {
        let closes = contents.withLock { contents in
            defer { contents.isClosed = true }
            return !contents.isClosed
        }
        if closes { wake.call() }
        return closes
    }
}
