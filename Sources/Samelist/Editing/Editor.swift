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
/// } catch .vanished {
///     show("\(editor.vanished?.sentence ?? "")")
///     try await editor.saveAsNew(at: .first)
/// }
/// ```
///
/// Any number of editors may be open on an element, each with its own policy, rule and events.
/// Those that draft have one draft between them: what is typed into one shows in all, and what
/// commits, saves, restores or discards it closes all.
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
    @ObservationIgnored let editor: OpenEditor
    @ObservationIgnored let telling = Telling<EditorEvent<Element>>(most: 1_000)
    private var failure: ListError?
    private var end: (reason: EditorCloseReason, last: ListReplica.Editor?)?
    /// As they were last decoded.
    @ObservationIgnored private var shown: (fields: Fields, element: Element)
    @ObservationIgnored private var typed: (fields: Fields, element: Element)

    /// Whether it is told what the view shows.
    @ObservationIgnored private let isThroughView: Bool

    init(
        _ editor: OpenEditor, _ element: Element, _ fields: Fields, _ rule: VanishRule,
        isThroughView: Bool
    ) {
        self.isThroughView = isThroughView
        id = element.id
        onVanish = rule
        self.editor = editor
        shown = (fields, element)
        typed = (fields, element)
        editor.add(self)
        // The draft of an element that went while nobody held it.
        guard let vanish = editor.vanish else { return }
        telling.tell(.vanished(vanished(vanish)))
        obeyRule()
    }

    isolated deinit { telling.finish() }

    /// What the editor does with remote changes, and with what is typed.
    public var policy: EditorPolicy { editor.policy }

    /// The element as the list has it, by the editor's policy; of a vanished one, its last value.
    public var element: Element {
        shown = decoded(current?.shown ?? shown.fields, before: shown)
        return shown.element
    }

    /// The element under what was typed. Writing it types into the draft, or, with `.live`, writes
    /// at once; only what differs is taken. What cannot be written leaves it as it is, and stands
    /// in `lastError`.
    public var draft: Element {
        get {
            typed = decoded(current?.value ?? typed.fields, before: typed)
            return typed.element
        }
        set { try? note { () throws(ListError) in try write(newValue) } }
    }

    /// The draft, to be given to a field of a form: `editor.binding.title`.
    public var binding: Binding<Element> {
        Binding(
            get: { self.draft },
            set: { (draft) throws(ListError) in
                try self.note { () throws(ListError) in try self.write(draft) }
            })
    }

    /// Why the last write to `draft` was not taken; `nil` once one is.
    public var lastError: ListError? { failure }
    /// Whether something was typed that is not saved.
    public var hasDraft: Bool { current?.hasDraft ?? false }
    /// The fields that others changed while the draft changes them, too.
    public var conflicts: [FieldName] { current?.conflicts ?? [] }
    /// What both sides have where they conflict; `nil` where they do not.
    public var conflict: EditorConflict<Element>? {
        conflicts.isEmpty ? nil : conflict(in: conflicts)
    }
    /// What is known of how the element went; `nil` while it is there.
    public var vanished: Vanished<Element>? { current?.vanish.map(vanished) }
    /// Why the editor is closed; `nil` while it is open.
    public var closeReason: EditorCloseReason? { end?.reason }
    /// Whether the editor is closed.
    public var isClosed: Bool { end != nil }
    /// Whether a commit is on its way.
    public var isCommitting: Bool { current?.commit != nil && !isClosed }
    /// Who else edits the element.
    public var others: [UserName] { current?.others ?? [] }

    /// What happens to the element, from when this editor was opened, until it is closed or
    /// dropped, or the reading task is cancelled. Each reader has its own telling. Of an element
    /// that was gone before, whose draft was kept, the first event is that it vanished.
    public var events: EditorEvents<Element> { EditorEvents(telling: telling) }

    /// Changes the draft, or, with `.live`, the element; throws what stands against it.
    public func update(_ change: (inout Element) -> Void) throws(ListError) {
        var element = draft
        change(&element)
        try write(element)
    }

    /// The editor beneath as it is, or was last.
    var current: ListReplica.Editor? { end.map(\.last) ?? editor.editor }

    private func note(_ write: () throws(ListError) -> Void) throws(ListError) {
        do throws(ListError) {
            try write()
            if failure != nil { failure = nil }
        } catch {
            failure = error
            throw error
        }
    }

    private func write(_ element: Element) throws(ListError) {
        let changes = try ElementCoder.changes(
            from: draft, to: element, in: current?.value ?? Fields())
        if changes.isEmpty, !isClosed, editor.vanish == nil { return }
        let decision = try attempt { () throws(EditorFault) in try editor.type(changes) }
        if case .refused(let refusal)? = decision?.outcome { throw ListError(refusal) }
    }

    /// An element that no longer decodes is shown as it did last.
    private func decoded(_ fields: Fields, before: (fields: Fields, element: Element))
        -> (fields: Fields, element: Element)
    {
        if fields == before.fields { return before }
        let element = ElementCoder.decode(fields, id, as: Element.self)
        return (fields, (try? element.get()) ?? before.element)
    }

    private func vanished(_ vanish: Vanish) -> Vanished<Element> {
        Vanished(
            id: id, cause: Vanished.Cause(vanish.cause), by: vanish.by,
            at: vanish.at.map { Date($0) }, version: vanish.version, last: element, draft: draft,
            hasDraft: hasDraft, sentence: vanish.sentence)
    }
}

extension Editor: EditorFace {
    func told(_ event: ListReplica.EditorEvent) {
        switch event {
        case _ where isClosed: break
        // Another with the same draft asked for that.
        case .hidden where !isThroughView, .shown where !isThroughView: break
        default: telling.tell(typed(event))
        }
    }

    func obeyRule() {
        switch onVanish {
        case _ where isClosed: break
        case .notify: break
        case .keepDraft where hasDraft: break
        // What others are typing on is theirs.
        case .dismiss where !editor.isShared(by: self): discard()
        case .dismiss, .keepDraft: close()
        }
    }

    func closed(_ reason: EditorCloseReason) {
        guard end == nil else { return }
        end = (reason, editor.editor)
        telling.finish()
    }

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
