internal import Threads

/// The one way from other threads to the main actor: what is put in is handed over in order, many
/// at a time, by one task a batch.
final class Inbox<Item: Sendable>: Sendable {
    private let items = Locked<[Item]>([])
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    func put(_ item: Item) {
        let wasEmpty = items.withLock { items in
            items.append(item)
            return items.count == 1
        }
        if wasEmpty { wake() }
    }

    func takeAll() -> [Item] {
        items.withLock { items in
            defer { items = [] }
            return items
        }
    }
}
