/// What happens to an editor's element, told to one reader after the other.
public struct EditorEvents<Element: ListElement>: AsyncSequence, Sendable {
    let telling: Telling<EditorEvent<Element>>

    /// A telling of its own, from the beginning.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reader: TellingReader(telling, from: 0))
    }

    /// One reader of the events.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        let reader: TellingReader<EditorEvent<Element>>

        /// `nil` once the editor is closed or dropped, or the task is cancelled.
        @MainActor
        public mutating func next() async -> EditorEvent<Element>? { await reader.next() }
    }
}
