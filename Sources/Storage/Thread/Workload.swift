/// What a `StorageThread` works on: a store whose writes can share one flush.
package protocol Workload: SendableMetatype {
    associatedtype Store
    associatedtype Write: Sendable
    associatedtype Receipt: Sendable

    /// Carries out writes that stood next to each other; one result each, in their order.
    static func write(_ batch: [Write], to store: Store) -> [Result<Receipt, StorageError>]

    /// Lets the store go.
    static func close(_ store: Store)
}

/// Appends to logs.
package enum LogWorkload: Workload {
    package static func write(
        _ batch: [Append], to store: any LogStorage
    ) -> [Result<UInt64, StorageError>] {
        store.appendBatch(batch)
    }

    package static func close(_ store: any LogStorage) {
        store.close()
    }
}

/// Commits of a client's state. Commits that share a flush stand or fall together.
package enum StateWorkload: Workload {
    package static func write(
        _ batch: [[StateChange]], to store: any StateStorage
    ) -> [Result<Void, StorageError>] {
        do throws(StorageError) {
            try store.commit(Array(batch.joined()))
            return batch.map { _ in .success(()) }
        } catch {
            return batch.map { _ in .failure(error) }
        }
    }

    package static func close(_ store: any StateStorage) {
        store.close()
    }
}

/// The thread of the server's logs.
package typealias LogThread = StorageThread<LogWorkload>

/// The thread of a client's state.
package typealias StateThread = StorageThread<StateWorkload>
