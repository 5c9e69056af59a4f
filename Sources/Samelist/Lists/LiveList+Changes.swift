internal import ListModel

extension LiveList {
    /// All rows, then what changes, until the list is closed or the reading task is cancelled.
    ///
    /// Each reader has its own telling, from the beginning. Who reads slowly gets several changes
    /// as one, and never misses what they came to.
    public var changes: ListChanges<Item> { ListChanges() }

    /// What was refused after it had been done here, and why; begins with what is refused from now
    /// on. Work whose `acknowledged()` somebody waits for is told there instead.
    public var refusals: ListRefusals { ListRefusals() }
}

/// The telling of a list, or of a view, to one reader.
public struct ListChanges<Element: ListElement>: AsyncSequence, Sendable {
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }

    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        @MainActor
        public func next() async -> ListChange<Element>? { nil }
    }
}

/// What was refused, told to one reader.
public struct ListRefusals: AsyncSequence, Sendable {
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }

    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        @MainActor
        public func next() async -> ListError? { nil }
    }
}
