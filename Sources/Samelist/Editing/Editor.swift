internal import FoundationEssentials
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
    /// The ID of the element.
    public let id: Element.ID
    /// What the editor does by itself once its element is gone.
    public let onVanish: VanishRule
    /// Why the last write to `draft` was not taken; `nil` once one is.
    public private(set) var lastRefusal: ListError?
    @ObservationIgnored let editor: OpenEditor
    @ObservationIgnored let telling = Telling<EditorEvent<Element>>(most: 1_000)
    /// As they were last decoded.
    @ObservationIgnored private var shown: (fields: Fields, element: Element)
    @ObservationIgnored private var typed: (fields: Fields, element: Element)

    init(_ editor: OpenEditor, _ element: Element, _ fields: Fields, _ rule: VanishRule) {
        id = element.id
        onVanish = rule
        self.editor = editor
        shown = (fields, element)
        typed = (fields, element)
        editor.typed = self
    }

    /// What the editor does with remote changes, and with what is typed.
    public var policy: EditorPolicy { editor.policy }

    /// The element as the list has it, by the editor's policy; of a vanished one, its last value.
    public var element: Element {
        shown = decoded(editor.editor?.shown ?? shown.fields, before: shown)
        return shown.element
    }

    /// The element under what was typed. Writing it types into the draft, or, with `.live`, writes
    /// at once; only what differs is taken. What cannot be written leaves it as it is, and stands
    /// in `lastRefusal`.
    public var draft: Element {
        get {
            typed = decoded(editor.value, before: typed)
            return typed.element
        }
        set {
            do throws(EditorError<Element>) {
                try write(newValue)
                lastRefusal = nil
            } catch {
                lastRefusal = error.error
            }
        }
    }

    /// The draft, to be given to a field of a form: `editor.binding.title`.
    public var binding: Binding<Element> {
        Binding(
            get: { self.draft },
            set: { (draft) throws(ListError) in
                do throws(EditorError<Element>) {
                    try self.write(draft)
                    self.lastRefusal = nil
                } catch {
                    self.lastRefusal = error.error
                    throw error.error
                }
            })
    }

    /// Whether something was typed that is not saved.
    public var hasDraft: Bool { editor.hasDraft }
    /// The fields that others changed while the draft changes them, too.
    public var conflicts: [FieldName] { editor.editor?.conflicts ?? [] }
    /// What is known of how the element went; `nil` while it is there.
    public var vanished: Vanished<Element>? { editor.vanish.map(vanished) }
    /// Whether the editor is closed: committed, saved as new, restored, discarded, or closed with
    /// its list.
    public var isClosed: Bool { editor.isClosed }
    /// Whether a commit is on its way.
    public var isCommitting: Bool { editor.editor?.commit != nil && !isClosed }
    /// Who else edits the element.
    public var others: [UserName] { editor.others }

    /// What happens to the element, from when this editor was opened, until it is closed or the
    /// reading task is cancelled. Each reader has its own telling.
    public var events: EditorEvents<Element> { EditorEvents(telling: telling) }

    /// Changes the draft, or, with `.live`, the element; throws what stands against it.
    public func update(_ change: (inout Element) -> Void) throws(EditorError<Element>) {
        var element = draft
        change(&element)
        try write(element)
    }

    func write(_ element: Element) throws(EditorError<Element>) {
        let changes: Fields
        do throws(ListError) {
            changes = try ElementCoder.changes(from: draft, to: element, in: editor.value)
        } catch {
            throw .failed(error)
        }
        if changes.isEmpty, !isClosed, editor.vanish == nil { return }
        do throws(EditorFault) { try editor.type(changes) } catch { throw refined(error) }
    }

    /// An element that no longer decodes is shown as it did last.
    func decoded(_ fields: Fields, before: (fields: Fields, element: Element))
        -> (fields: Fields, element: Element)
    {
        if fields == before.fields { return before }
        let element = ElementCoder.decode(fields, id, as: Element.self)
        return (fields, (try? element.get()) ?? before.element)
    }

    func vanished(_ vanish: Vanish) -> Vanished<Element> {
        Vanished(
            id: id, cause: Vanished.Cause(vanish.cause), by: vanish.by,
            at: vanish.at.map { Date($0) }, version: vanish.version, last: element, draft: draft,
            hasDraft: hasDraft, sentence: vanish.sentence)
    }
}

extension Editor: EditorFace {
    func told(_ event: ListReplica.EditorEvent) {
        telling.tell(typed(event))
        guard case .vanished = event else { return }
        switch onVanish {
        case .notify: break
        case .keepDraft where hasDraft: break
        case .dismiss, .keepDraft: discard()
        }
    }

    func closed() { telling.finish() }

    private func typed(_ event: ListReplica.EditorEvent) -> EditorEvent<Element> {
        switch event {
        case .changed(let old, let new, let by, let version):
            .changed(
                EditorEvent.Change(old: old, new: new, element: draft, by: by, version: version))
        case .conflict(let field, let base, let mine, let theirs, let by):
            .conflict(
                EditorEvent.Conflict(field: field, base: base, mine: mine, theirs: theirs, by: by))
        case .vanished(let vanish): .vanished(vanished(vanish))
        case .returned(let by): .returned(by: by)
        case .hidden(let by): .hidden(by: by)
        case .shown(let by): .shown(by: by)
        case .presence(let names): .presence(names)
        }
    }
}

extension Vanished.Cause {
    init(_ cause: Vanish.Cause) {
        self =
            switch cause {
            case .deleted: .deleted
            case .listDeleted: .listDeleted
            case .accessLost: .accessLost
            case .rejected(let code):
                .rejected(ListError(ListError.Code(code), "the server refused to insert it"))
            case .missing: .missing
            }
    }
}

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

        /// `nil` once the editor is closed, or the task is cancelled.
        @MainActor
        public mutating func next() async -> EditorEvent<Element>? { await reader.next() }
    }
}
