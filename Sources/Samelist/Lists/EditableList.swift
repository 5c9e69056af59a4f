public import ListModel
public import ListReplica
public import Observation

/// The model of a screen that shows a list and lets it be edited: rows, which of them is selected,
/// one open editor, and notices of what the user must hear. It has no screen and no task: whoever
/// draws reads it, through Observation or after each key, and calls its verbs.
///
/// Nothing in it is known by a number that somebody else's change could shift: the selection and
/// the editor keep to their elements by ID. No verb throws; what could not be done is a notice.
@MainActor
@Observable
public final class EditableList<Item: ListElement> {
    /// The list itself.
    public let list: LiveList<Item>
    /// What the rows are filtered and sorted by; `nil`: all rows, in the list's order. An open
    /// editor stays open; where the view pins, the row of one that is opened from now on stays,
    /// too.
    public var view: LiveView<Item>?
    /// The editor that was opened last; it may be closed by now, and its last notices not read.
    private var opened: Editor<Item>? { didSet { editorPlace = 0 } }
    private var selected: ElementID?
    /// Where the selection stood when it was last looked at.
    @ObservationIgnored private var selectedAt = 0
    private var told: [Notice] = []
    @ObservationIgnored private var refusalPlace: Int
    @ObservationIgnored private var editorPlace = 0
    @ObservationIgnored private var lastNotice = 0

    /// Something the user must hear; it stays until it is dismissed.
    public struct Notice: Identifiable, Sendable {
        /// By which it is dismissed.
        public let id: Int
        /// What it is about.
        public let kind: Kind
        /// For people.
        public let sentence: String
    }

    /// What a notice is about.
    public enum Kind: Sendable {
        /// The element under the editor is gone.
        case vanished(Vanished<Item>)
        /// It is there again.
        case returned(by: UserName?)
        /// Somebody changed the field that is being edited.
        case conflict(FieldName, by: UserName?)
        /// It left the results of the filter, and can still be edited.
        case hidden(by: UserName?)
        /// Something was not done.
        case refused(ListError)
    }

    /// A screen on a list, with nothing selected.
    public init(_ list: LiveList<Item>) {
        self.list = list
        refusalPlace = list.list.refusals.end
    }

    /// The open editor, or the one whose element vanished with something typed.
    public var editor: Editor<Item>? { opened?.isClosed == false ? opened : nil }

    /// What the user must hear, oldest first.
    public var notices: [Notice] {
        gather()
        return told
    }

    /// The user has heard it.
    public func dismiss(_ notice: Notice.ID) {
        gather()
        told.removeAll { $0.id == notice }
    }

    /// The rows as they are now, to be shown: what gestures mean by number.
    public var rows: Rows<Item> { view?.rows ?? list.rows }
}

extension EditableList: @MainActor RandomAccessCollection {
    /// Always 0.
    public var startIndex: Int { 0 }
    /// How many rows there are.
    public var endIndex: Int { view?.count ?? list.count }
    /// The row with `index` others before it. O(log n).
    public subscript(index: Int) -> Row<Item> { view?[index] ?? list[index] }
}

/// The selection: by ID, and never on nothing while there are rows and something was selected.
extension EditableList {
    /// The selected row. Where it is gone, the row that took its place.
    public var selection: Row<Item>? { selectedIndex.map { self[$0] } }

    /// Where the selected row stands.
    public var selectedIndex: Int? {
        guard let selected else { return nil }
        if let index = index(of: selected) {
            selectedAt = index
            return index
        }
        return isEmpty ? nil : Swift.min(selectedAt, count - 1)
    }

    /// Selects an element; `nil`: nothing.
    public func select(_ id: Item.ID?) {
        selected = id?.elementID
        _ = selectedIndex
    }

    /// Selects the row at an index; outside the rows, the nearest.
    public func select(at index: Int) {
        guard !isEmpty else { return }
        selectedAt = Swift.max(0, Swift.min(index, count - 1))
        selected = self[selectedAt].meta.elementID
    }

    /// Selects the next row, or the first.
    public func selectNext() { select(at: selectedIndex.map { $0 + 1 } ?? 0) }
    /// Selects the row before, or the last.
    public func selectPrevious() { select(at: selectedIndex.map { $0 - 1 } ?? count - 1) }

    private func index(of id: ElementID) -> Int? { view?.index(of: id) ?? indexInList(of: id) }

    private func indexInList(of id: ElementID) -> Int? {
        view == nil ? list.list.index(of: id) : nil
    }
}

/// What the user does.
extension EditableList {
    /// Adds an element behind the selection, or at the end, and selects it; where the filter hides
    /// it, a notice says so.
    public func add(_ element: Item) {
        attempt {
            () throws(ListError) in
            let place = selection.map { Place.after($0.meta.elementID) } ?? .last
            _ = try list.put(element, at: place)
            guard let view, !view.contains(id: element.id) else { return select(element.id) }
            let what = label(of: element, element.id)
            tell(.hidden(by: nil), "\(what) was added, and is not among these rows.")
        }
    }

    /// Changes the selected element: to toggle something, say.
    public func change(_ change: (inout Item) -> Void) {
        attempt { () throws(ListError) in
            if let selection { try list.update(known(selection), change) }
        }
    }

    /// Removes the selected row.
    public func remove() { selectedIndex.map { remove(atOffsets: [$0], of: rows) } }

    /// Removes the rows at these offsets of the rows that the user saw.
    public func remove(atOffsets offsets: some Sequence<Int>, of rows: Rows<Item>) {
        attempt { () throws(ListError) in try rows.remove(atOffsets: offsets) }
    }

    /// Moves the selected row up or down by as many rows as there are.
    public func move(by distance: Int) {
        guard let index = selectedIndex else { return }
        let target = Swift.max(0, Swift.min(index + distance, count - 1))
        guard target != index else { return }
        move(fromOffsets: [index], toOffset: target > index ? target + 1 : target, of: rows)
    }

    /// Moves the rows at these offsets before the row at `destination`, of the rows that the user
    /// saw.
    public func move(
        fromOffsets source: some Sequence<Int>, toOffset destination: Int, of rows: Rows<Item>
    ) {
        attempt { () throws(ListError) in
            try rows.move(fromOffsets: source, toOffset: destination)
        }
    }

    /// Takes one's own newest work back.
    public func undo() { attempt { () throws(ListError) in try list.undo() } }
    /// Does again what was taken back last.
    public func redo() { attempt { () throws(ListError) in try list.redo() } }

    /// Opens an editor on the selected element. One that was open is closed; its draft is kept.
    public func edit(policy: EditorPolicy = .draft, onVanish: VanishRule = .keepDraft) {
        attempt { () throws(ListError) in
            guard let selection else { return }
            let id = try known(selection)
            gather()
            if let editor, editor.id == id, editor.policy == policy { return }
            editor?.close()
            gather()
            if let view {
                opened = try view.edit(id, policy: policy, onVanish: onVanish)
            } else {
                opened = try list.edit(id, policy: policy, onVanish: onVanish)
            }
        }
    }

    /// Saves what was typed, and closes the editor; where that cannot be, a notice says why, and
    /// the editor stays with what was typed.
    public func commit(_ mode: CommitMode = .ifUnchanged) async {
        await end { editor throws(ListError) in try await editor.commit(mode) }
    }

    /// Saves what was typed into a vanished editor as a new element, and selects it.
    public func saveAsNew() async {
        await end { editor throws(ListError) in
            self.select(try await editor.saveAsNew().id)
        }
    }

    /// Brings the editor's element back with what was typed.
    public func restoreWithDraft() async {
        await end { editor throws(ListError) in try await editor.restoreWithDraft() }
    }

    /// Closes the editor and drops what was typed.
    public func discard() {
        gather()
        editor?.discard()
        opened = nil
    }

    private func end(_ body: (Editor<Item>) async throws(ListError) -> Void) async {
        guard let editor else { return }
        do throws(ListError) {
            try await body(editor)
            gather()
        } catch {
            gather()
            let what = label(of: editor.draft, editor.id)
            if let vanished = editor.vanished {
                let who = vanished.by.map { " by \($0)" } ?? ""
                tell(.vanished(vanished), "Edit skipped: \(what) was removed\(who).")
            } else {
                tell(.refused(error), "Edit skipped: \(error.sentence).")
            }
        }
    }

    private func known(_ row: Row<Item>) throws(ListError) -> Item.ID {
        try row.meta.result.get().id
    }

    private func attempt<Result>(_ body: () throws(ListError) -> Result) {
        do throws(ListError) { _ = try body() } catch { tell(.refused(error), error.sentence) }
    }
}

/// Notices: gathered from what the list and the editor told since the last look.
extension EditableList {
    private func gather() {
        // So that who reads the notices is woken by the next one.
        _ = list.lastError
        _ = (opened?.isClosed, opened?.vanished == nil, opened?.conflicts)
        let refusals = list.list.refusals
        for error in refusals.items(from: Swift.max(refusalPlace, refusals.start)) ?? [] {
            tell(.refused(error), error.sentence)
        }
        refusalPlace = refusals.end
        guard let editor = opened else { return }
        let telling = editor.telling
        for event in telling.items(from: Swift.max(editorPlace, telling.start)) ?? [] {
            tell(event, editor)
        }
        editorPlace = telling.end
        if editor.isClosed { opened = nil }
    }

    private func tell(_ event: EditorEvent<Item>, _ editor: Editor<Item>) {
        let what = label(of: editor.draft, editor.id)
        switch event {
        case .vanished(let vanished):
            let who = vanished.by.map { "\($0) removed" } ?? "Somebody removed"
            let kept = vanished.hasDraft ? " Your text is kept." : ""
            tell(
                .vanished(vanished),
                "\(who) \(label(of: vanished.last, editor.id)) while you were editing it.\(kept)")
        case .returned(let by): tell(.returned(by: by), "\(what) is back.")
        case .conflict(let conflict):
            let who = conflict.by.map { "\($0)" } ?? "Somebody"
            tell(
                .conflict(conflict.field, by: conflict.by),
                "\(who) changed \(conflict.field) of \(what) while you were editing it.")
        case .hidden(let by): tell(.hidden(by: by), "\(what) is no longer among these rows.")
        case .changed, .shown, .presence: break
        }
    }

    private func tell(_ kind: Kind, _ sentence: String) {
        lastNotice += 1
        told.append(Notice(id: lastNotice, kind: kind, sentence: sentence))
    }

    /// What clients call an element by default: its title.
    private func label(of element: Item, _ id: Item.ID) -> String {
        let title = (try? ElementCoder.fields(of: element))?[.title]?.text
        return title.map { "\"\($0)\"" } ?? "\(id)"
    }
}
