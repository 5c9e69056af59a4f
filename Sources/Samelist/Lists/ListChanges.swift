/// The telling of a list, or of a view, to one reader after the other: each `for await` has its
/// own, from the beginning.
public struct ListChanges<Element: ListElement>: AsyncSequence, Sendable {
    let source: any RowSource<Element>

    /// A telling of its own, from the beginning.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reader: ListReader(source))
    }

    /// One reader of the changes.
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

    /// A telling of its own, from when `refusals` was asked for.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reader: TellingReader(telling, from: place))
    }

    /// One reader of the refusals.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        let reader: TellingReader<ListError>

        /// `nil` once the list is closed, or the task is cancelled.
        @MainActor
        public mutating func next() async -> ListError? { await reader.next() }
    }
}
