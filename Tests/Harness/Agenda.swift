internal import ListModel

/// What is still to happen, ordered by time and, at one time, by when it was planned. A binary
/// heap.
struct Agenda {
    struct Item {
        let at: Timestamp
        let sequence: UInt64
        /// Something is on its way; as opposed to a timer, which may find nothing to do.
        let isWork: Bool
        let action: () -> Void

        func precedes(_ other: Item) -> Bool {
            at == other.at ? sequence < other.sequence : at < other.at
        }
    }

    private var heap: [Item] = []
    private var planned: UInt64 = 0
    private(set) var workCount = 0

    var next: Timestamp? { heap.first?.at }

    mutating func plan(at time: Timestamp, isWork: Bool, _ action: @escaping () -> Void) {
        planned += 1
        if isWork { workCount += 1 }
        heap.append(Item(at: time, sequence: planned, isWork: isWork, action: action))
        var child = heap.count - 1
        while child > 0, heap[child].precedes(heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func take() -> Item? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        if first.isWork { workCount -= 1 }
        return first
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].precedes(heap[least]) {
                least = child
            }
            if least == parent { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
