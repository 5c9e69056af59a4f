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
    var opened: Editor<Item>? { didSet { editorPlace = 0 } }
    /// What was selected last.
    var selected: ElementID?
    /// What the user saw selected last: that, or the row to which the cursor went since.
    @ObservationIgnored var cursor: ElementID?
    /// Where the cursor stood when it was last looked at.
    @ObservationIgnored var cursorAt = 0
    var told: [Notice] = []
    @ObservationIgnored var refusalPlace: Int
    @ObservationIgnored var editorPlace = 0
    @ObservationIgnored var lastNotice = 0

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

extension EditableList: @MainActor RowCollection {
    /// How many rows there are.
    public var endIndex: Int { view?.count ?? list.count }
    /// The row with `index` others before it. O(log n).
    public subscript(index: Int) -> Row<Item> { view?[index] ?? list[index] }
}

/// What the user does. What was meant for a selected row that is gone is not done to another one: a
/// notice says so.
extension EditableList {
    /// Adds an element behind the selection, or at the end, and selects it; where the filter hides
    /// it, a notice says so.
    public func add(_ element: Item) {
        attempt {
            () throws(ListError) in
            let neighbour = cursor ?? selection?.meta.elementID
            let place = neighbour.flatMap(place(behind:)) ?? .last
            _ = try list.put(element, at: place)
            guard let view, !view.contains(id: element.id) else { return select(element.id) }
            let what = label(of: element, element.id)
            tell(.hidden(by: nil), "\(what) was added, and is not among these rows.")
        }
    }

    /// Changes the selected element: to toggle something, say.
    public func change(_ change: (inout Item) -> Void) {
        guard let row = meant() else { return }
        attempt { () throws(ListError) in try list.update(known(row), change) }
    }

    /// Removes the selected row.
    public func remove() {
        if let index = meantIndex() { remove(atOffsets: [index], of: rows) }
    }

    /// Removes the rows at these offsets of the rows that the user saw.
    public func remove(atOffsets offsets: some Sequence<Int>, of rows: Rows<Item>) {
        attempt { () throws(ListError) in try rows.remove(atOffsets: offsets) }
    }

    /// Moves the selected row up or down by as many rows as there are.
    public func move(by distance: Int) {
        guard let index = meantIndex() else { return }
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
        guard let row = meant() else { return }
        attempt { () throws(ListError) in
            let id = try known(row)
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
        guard let editor else {
            if let error = list.closeReason { tell(.refused(error), error.sentence) }
            return
        }
        do throws(ListError) {
            try await body(editor)
            gather()
        } catch {
            gather()
            let what = label(of: editor.draft, editor.id)
            guard error.code == .vanished, let vanished = editor.vanished else {
                return tell(.refused(error), "Edit skipped: \(error.sentence).")
            }
            let who = vanished.by.map { " by \($0)" } ?? ""
            let why =
                vanished.cause == .deleted ? "\(what) was removed\(who)" : vanished.sentence
            tell(.vanished(vanished), "Edit skipped: \(why).")
        }
    }

    private func known(_ row: Row<Item>) throws(ListError) -> Item.ID {
        try row.meta.result.get().id
    }

    private func attempt<Result>(_ body: () throws(ListError) -> Result) {
        let stood = cursor.map { index(of: $0) != nil } ?? false
        do throws(ListError) {
            _ = try body()
            // Where the user's own verb took the selected row away, the next one is the user's.
            if stood { _ = selectedIndex }
        } catch {
            tell(.refused(error), error.sentence)
        }
    }
}
