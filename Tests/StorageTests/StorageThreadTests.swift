import Dispatch
import Synchronization
import Testing
import Threads

@testable import Storage

/// The thread in front of a store: order, groups, and an answer for every job.
@Suite("Storage thread")
struct StorageThreadTests {
    /// A thread whose store counts its batches, held up until `gate` is signalled.
    func heldThread() throws -> (thread: LogThread, gate: DispatchSemaphore) {
        let store = InMemoryLogStorage()
        try store.create("a", epoch: "e")
        let thread = try LogThread(CountingLogStorage(store))
        let gate = DispatchSemaphore(value: 0)
        let held = DispatchSemaphore(value: 0)
        thread.post(
            .perform { _ in
                held.signal()
                gate.wait()
            })
        held.wait()
        return (thread, gate)
    }

    @Test("appends that gathered while the thread was busy share one batch, in order")
    func merging() throws {
        let (thread, gate) = try heldThread()
        let told = Locked<[String]>([])
        for version in 1...100 {
            thread.post(
                .append(records(version...version), to: "a", after: UInt64(version - 1)) { result in
                    told.withLock { $0.append("\(result)") }
                })
        }
        thread.post(
            .perform { store in
                let batches = (store as? CountingLogStorage)?.batches ?? []
                told.withLock { $0.append("\(batches)") }
            })
        thread.post(
            .append([[1]], to: "a", after: 7) { result in told.withLock { $0.append("\(result)") } }
        )
        gate.signal()
        thread.stop()
        #expect(
            told.withLock { $0 } == (1...100).map {
                "\(Result<UInt64, StorageError>.success(UInt64($0)))"
            }
                + ["[100]", "\(Result<UInt64, StorageError>.failure(.conflict(head: 100)))"])
    }

    @Test("other jobs keep their place among appends")
    func order() throws {
        let (thread, gate) = try heldThread()
        let heads = Locked<[UInt64]>([])
        for version in 0..<10 {
            thread.post(.append([[1]], to: "a", after: UInt64(version)) { _ in })
            thread.post(
                .perform { store in
                    let head = (try? store.lists())?.first?.head
                    heads.withLock { $0.append(head ?? 0) }
                })
        }
        gate.signal()
        thread.stop()
        #expect(heads.withLock { $0 } == Array(1...10))
    }

    @Test("what was posted before the stop is answered, what comes after is refused")
    func stop() throws {
        let (thread, gate) = try heldThread()
        let told = Locked<[Result<UInt64, StorageError>]>([])
        let job = LogThread.Job.append([[1]], to: "a", after: 0) { result in
            told.withLock { $0.append(result) }
        }
        #expect(thread.post(job))
        gate.signal()
        thread.stop()
        thread.stop()
        #expect(told.withLock { $0 } == [.success(1)])
        #expect(!thread.post(job))
        #expect(!thread.post(.perform { _ in Issue.record("ran after the stop") }))
        #expect(told.withLock { $0 } == [.success(1), .failure(.closed)])
    }

    @Test("many threads may post at once, and each job is answered once")
    func crowd() throws {
        let store = InMemoryLogStorage()
        try store.create("a", epoch: "e")
        let thread = try LogThread(store)
        let answers = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<500 {
                thread.post(
                    .append([[1]], to: "a", after: 0) { _ in answers.add(1, ordering: .relaxed) })
            }
        }
        thread.stop()
        #expect(answers.load(ordering: .relaxed) == 4000)
    }

    @Test("a failing disk is told to every append of the group, and the next one works again")
    func faults() throws {
        let faults = StorageFaults()
        let store = InMemoryLogStorage(faults: faults)
        try store.create("a", epoch: "e")
        let thread = try LogThread(store)
        faults.fail(.writes, with: .failed("full"))
        let told = Locked<[Result<UInt64, StorageError>]>([])
        let answered = DispatchSemaphore(value: 0)
        for _ in 1...2 {
            thread.post(
                .append([[1]], to: "a", after: 0) { result in
                    told.withLock { $0.append(result) }
                    answered.signal()
                })
            answered.wait()
        }
        thread.stop()
        #expect(told.withLock { $0 } == [.failure(.failed("full")), .success(1)])
    }

    @Test("stopping lets the files go")
    func files() throws {
        let folder = try TemporaryFolder()
        let thread = try StateThread(SQLiteStateStorage.open(folder("state.db")))
        for number in 1...3 {
            thread.post(
                .write([.put("k\(number)", [])]) { result in
                    if case .failure(let error) = result { Issue.record(error) }
                })
        }
        thread.stop()
        #expect(try SQLiteStateStorage.open(folder("state.db")).load().count == 3)
    }

    @Test("a thread let go in its own completion ends by itself")
    func letGo() throws {
        let store = InMemoryLogStorage()
        let done = DispatchSemaphore(value: 0)
        let holder = Locked<LogThread?>(try LogThread(store))
        let thread = holder.withLock { $0 }
        thread?.post(
            .perform { _ in
                holder.withLock { $0 = nil }
                done.signal()
            })
        done.wait()
        #expect(holder.withLock { $0 == nil })
    }
}

/// An in-memory store that notes how many appends came in each batch.
final class CountingLogStorage: LogStorage {
    private let store: InMemoryLogStorage
    private(set) var batches: [Int] = []

    init(_ store: InMemoryLogStorage) { self.store = store }

    func appendBatch(_ batch: [Append]) -> [Result<UInt64, StorageError>] {
        batches.append(batch.count)
        return store.appendBatch(batch)
    }

    func lists() throws(StorageError) -> [StoredList] { try store.lists() }
    func create(_ name: String, epoch: String) throws(StorageError) {
        try store.create(name, epoch: epoch)
    }
    func drop(_ name: String, noting note: Append?) throws(StorageError) {
        try store.drop(name, noting: note)
    }
    func setEpoch(_ epoch: String, of name: String) throws(StorageError) {
        try store.setEpoch(epoch, of: name)
    }
    func records(
        of name: String, after version: UInt64, maxBytes: Int
    ) throws(StorageError) -> [[UInt8]] {
        try store.records(of: name, after: version, maxBytes: maxBytes)
    }
    func saveSnapshot(
        _ parts: [[UInt8]], of name: String, at version: UInt64
    ) throws(StorageError) {
        try store.saveSnapshot(parts, of: name, at: version)
    }
    func snapshot(of name: String) throws(StorageError) -> StoredSnapshot? {
        try store.snapshot(of: name)
    }
    func trim(_ name: String, through version: UInt64) throws(StorageError) {
        try store.trim(name, through: version)
    }
    func close() { store.close() }
}
