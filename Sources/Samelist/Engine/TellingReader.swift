/// One reader of what is told, from a place on.
@MainActor
final class TellingReader<Item: Sendable> {
    private let telling: Telling<Item>
    private var place: Int

    nonisolated init(_ telling: Telling<Item>, from place: Int) {
        self.telling = telling
        self.place = place
    }

    func next() async -> Item? {
        var place = place
        defer { self.place = place }
        return await telling.next(after: &place)
    }
}

/// What is told, from a place on, to one reader after the other.
package struct Told<Item: Sendable>: AsyncSequence, Sendable {
    private let telling: Telling<Item>
    private let place: Int

    init(_ telling: Telling<Item>, from place: Int) {
        self.telling = telling
        self.place = place
    }

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reader: TellingReader(telling, from: place))
    }

    package struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        let reader: TellingReader<Item>

        @MainActor
        package mutating func next() async -> Item? { await reader.next() }
    }
}
