public import ListModel
public import ListReplica
public import Observation

/// An editor on one element, by its ID: it follows the element wherever it stands, tells what
/// happens to it, and never shows another element's data.
///
/// ```swift
/// let editor = try todos.edit(id, policy: .draft)
/// editor.draft.title += " (urgent)"
/// do {
///     try await editor.commit()
/// } catch .vanished(let vanished) {
///     show("\(vanished.sentence)")
///     try await editor.saveAsNew(at: .first)
/// }
/// ```
///
/// It can be read for ever: of a vanished or closed editor, the last value. One that is dropped is
/// closed, but for a draft: that is kept, and taken up by the next editor on its element.
@MainActor
@Observable
public final class Editor<Element: ListElement> {
    public let id: Element.ID
    public let policy: EditorPolicy
    /// What the editor does by itself once its element is gone.
    public let onVanish: VanishRule
    @ObservationIgnored package let editor: OpenEditor

    init(_ editor: OpenEditor, _ id: Element.ID, _ policy: EditorPolicy, _ rule: VanishRule) {
        self.id = id
        self.policy = policy
        onVanish = rule
        self.editor = editor
    }

    /// The element as the list has it; of a vanished one, its last value.
    public var element: Element { draft }

    /// The element under what was typed. Writing it types into the draft, or, with `.live`, writes
    /// at once; only what differs is taken. What cannot be written leaves it as it is, and stands
    /// in `lastRefusal`.
    public var draft: Element {
        get { fatalError() }
        set {}
    }

    /// Why the last write to `draft` was not taken; `nil` once one is.
    public var lastRefusal: ListError? { nil }
    /// Whether something was typed that is not saved.
    public var hasDraft: Bool { editor.hasDraft }
    /// The fields that others changed while the draft changes them, too.
    public var conflicts: [FieldName] { [] }
    /// What is known of how the element went; `nil` while it is there.
    public var vanished: Vanished<Element>? { nil }
    /// Whether the editor is closed: committed, saved as new, restored or discarded.
    public var isClosed: Bool { editor.isClosed }
    /// Whether a commit is on its way.
    public var isCommitting: Bool { false }
    /// Who else edits the element.
    public var others: [UserName] { [] }

    /// What happens to the element, from when the editor was opened, until it is closed or the
    /// reading task is cancelled. Each reader has its own telling.
    public var events: EditorEvents<Element> { EditorEvents() }

    /// Changes the draft, or, with `.live`, the element; throws what stands against it.
    public func update(_ change: (inout Element) -> Void) throws(EditorError<Element>) {}

    /// Writes what the draft touched, and closes the editor once that is saved. Waits for the
    /// server; offline that may be long, and the editor is kept until then. Where it throws, the
    /// editor is open, or vanished, with its draft.
    public func commit(_ mode: CommitMode = .ifUnchanged) async throws(EditorError<Element>) {}

    /// Saves a vanished editor's last value and draft as a new element, by default where the old
    /// one was, and closes the editor.
    @discardableResult
    public func saveAsNew(
        id: Element.ID? = nil, at place: ListPlace<Element.ID>? = nil
    ) async throws(EditorError<Element>) -> Element { draft }

    /// Brings a vanished element back with the draft written over it, and closes the editor.
    public func restoreWithDraft() async throws(EditorError<Element>) {}

    /// Closes the editor and drops its draft.
    public func discard() {}

    /// Closes the editor; a draft is kept, and taken up by the next editor on the element.
    public func close() {}
}

/// What happens to an editor's element, told to one reader.
public struct EditorEvents<Element: ListElement>: AsyncSequence, Sendable {
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }

    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        @MainActor
        public func next() async -> EditorEvent<Element>? { nil }
    }
}

extension LiveList {
    /// Opens an editor on an element. An editor that is open already is answered again; a draft
    /// that was kept is taken up, also from an earlier run of the program.
    public func edit(
        _ id: Item.ID, policy: EditorPolicy = .draft, onVanish: VanishRule = .notify
    ) throws(ListError) -> Editor<Item> {
        throw ListError(.closed, "")
    }

    /// The elements with drafts that wait to be taken up by `edit`.
    public var keptDrafts: [Item.ID] { [] }
}
