/// What is told to any number of readers, each at its own pace: a bounded log, of which every
/// reader keeps its own place. Nobody is registered, so nobody has to be let go.
@MainActor
final class Telling<Item: Sendable> {
    /// How much is kept for readers who lag; the oldest goes first.
    private let most: Int
    private var items: [Item] = []
    /// How much was told so far.
    private(set) var end = 0
    private(set) var isFinished = false
    private var waiting: [Signal] = []

    nonisolated init(most: Int) { self.most = most }

    /// The place of the oldest that is kept.
    var start: Int { end - items.count }

    func tell(_ item: Item) {
        guard !isFinished else { return }
        items.append(item)
        end += 1
        // Half of it at a time, so that telling costs the same however much was told.
        if items.count >= 2 * most { items.removeFirst(most) }
        wake()
    }

    /// Nothing more comes.
    func finish() {
        isFinished = true
        wake()
    }

    private func wake() {
        for signal in waiting { signal.raise() }
        waiting = []
    }

    /// What was told from a place on; `nil`: some of that is no longer kept.
    func items(from place: Int) -> ArraySlice<Item>? {
        place < start ? nil : items[(place - start)...]
    }

    /// The next item at or behind a place, which then moves behind it; `nil` once nothing more
    /// comes, or the task is cancelled.
    func next(after place: inout Int) async -> Item? {
        while true {
            place = max(place, start)
            if let item = items(from: place)?.first, !Task.isCancelled {
                place += 1
                return item
            }
            guard await more(than: place) else { return nil }
        }
    }

    /// Waits until more was told than up to a place. False: nothing more comes, or the task is
    /// cancelled.
    func more(than place: Int) async -> Bool {
        while end <= place {
            if isFinished || Task.isCancelled { return false }
            let signal = Signal()
            waiting.append(signal)
            await signal.wait()
            waiting.removeAll { $0 === signal }
        }
        return !Task.isCancelled
    }
}
