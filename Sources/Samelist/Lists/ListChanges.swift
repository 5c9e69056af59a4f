/// The telling of a list, or of a view, to one reader after the other: each `for await` has its
/// own, from the beginning.
public struct ListChanges<Element: ListElement>: AsyncSequence, Sendable {
    let source: any RowSource<Element>

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reader: ListReader(source))
    }

    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        let reader: ListReader<Element>

        /// `nil` once the list is closed, or the task is cancelled.
        @MainActor
        public mutating func next() async -> ListChange<Element>? { await reader.next() }
    }
}

/// What was refused after it had been done here.
public struct ListRefusals: AsyncSequence, Sendable {
    let telling: Telling<ListError>
    let place: Int

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reader: TellingReader(telling, from: place))
    }

    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        let reader: TellingReader<ListError>

        /// `nil` once the list is closed, or the task is cancelled.
        @MainActor
        public mutating func next() async -> ListError? { await reader.next() }
    }
}
