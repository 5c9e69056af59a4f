internal import Threads

/// A thread that owns a store, behind one door: `post`, from any thread.
///
/// Jobs run in the order in which they were posted. The mailbox is drained whole, and writes that
/// stand next to each other in it become one batch with one flush: while a flush runs, the next
/// group gathers, so that group commit comes by itself. The mailbox has no bound of its own; its
/// callers wait for their answers. Completions run on this thread, and hand on what they got to
/// their own.
package final class StorageThread<Work: Workload>: Sendable {
    package enum Job: Sendable {
        /// A write, and who hears of its outcome.
        case write(Work.Write, @Sendable (Result<Work.Receipt, StorageError>) -> Void)
        /// Anything else, with the store to itself.
        case perform(@Sendable (Work.Store) -> Void)
    }

    private let mailbox: Mailbox<Job>
    private let thread: Thread

    /// Starts the thread, which keeps the store and closes it in the end.
    package init(_ store: sending Work.Store) throws(StorageError) {
        let mailbox = Mailbox<Job>()
        self.mailbox = mailbox
        let run = StorageRun<Work>(store: store, mailbox: mailbox)
        guard let thread = Thread.start({ run.loop() }) else {
            throw .failed("The system has no thread left; raise its limit.")
        }
        self.thread = thread
    }

    deinit {
        // The last reference may go in a completion, on the thread itself.
        if !mailbox.close() { return }
        if thread.isCurrent { thread.detach() } else { thread.join() }
    }

    /// Hands a job in. After `stop` it answers false: a write's completion then gets `closed` at
    /// once, on the caller's thread, and a `perform` is dropped.
    @discardableResult
    package func post(_ job: Job) -> Bool {
        if mailbox.put(job) { return true }
        if case .write(_, let completion) = job { completion(.failure(.closed)) }
        return false
    }

    /// Finishes what was posted, completions included, closes the store and ends the thread;
    /// returns when that is done. Not to be called on the thread itself. Repeating it does nothing.
    package func stop() {
        precondition(!thread.isCurrent, "the storage thread cannot wait for its own end")
        if mailbox.close() { thread.join() }
    }
}

/// The thread's side.
private final class StorageRun<Work: Workload> {
    typealias Completion = @Sendable (Result<Work.Receipt, StorageError>) -> Void

    private let store: Work.Store
    private let mailbox: Mailbox<StorageThread<Work>.Job>

    init(store: sending Work.Store, mailbox: Mailbox<StorageThread<Work>.Job>) {
        self.store = store
        self.mailbox = mailbox
    }

    func loop() {
        while let jobs = mailbox.take() { run(jobs) }
        Work.close(store)
    }

    private func run(_ jobs: [StorageThread<Work>.Job]) {
        var group = Group()
        for job in jobs {
            switch job {
            case .write(let write, let completion):
                group.writes.append(write)
                group.completions.append(completion)
            case .perform(let body):
                finish(&group)
                body(store)
            }
        }
        finish(&group)
    }

    private func finish(_ group: inout Group) {
        if group.writes.isEmpty { return }
        let results = Work.write(group.writes, to: store)
        precondition(results.count == group.writes.count, "a result for each write of a batch")
        for (completion, result) in zip(group.completions, results) { completion(result) }
        group = Group()
    }

    /// Writes that stand next to each other. Two arrays, since taking one half out of pairs has the
    /// runtime look for their types by name, for which it takes as long as SQLite for the write.
    private struct Group {
        var writes: [Work.Write] = []
        var completions: [Completion] = []
    }
}

extension StorageThread<LogWorkload>.Job {
    /// A compare-and-append; see `LogStorage.append`.
    package static func append(
        _ records: [[UInt8]], to name: String, after version: UInt64,
        completion: @escaping @Sendable (Result<UInt64, StorageError>) -> Void
    ) -> Self {
        .write(Append(records, to: name, after: version), completion)
    }
}
