internal import ListModel
public import ListReplica

/// Editors and bindings on the elements of a list.
extension LiveList {
    /// Opens an editor on an element, whoever else edits it. With `.draft`, what another editor of
    /// this client has drafted is taken up, also from an earlier run of the program.
    public func edit(
        _ id: Item.ID, policy: EditorPolicy = .draft, onVanish: VanishRule = .notify
    ) throws(ListError) -> Editor<Item> {
        try edit(id, policy, onVanish, through: .shell)
    }

    func edit(
        _ id: Item.ID, _ policy: EditorPolicy, _ rule: VanishRule, through view: ViewNumber
    ) throws(ListError) -> Editor<Item> {
        let elementID = try id.checked()
        // Of a constant list one may have constant copies.
        if let end = list.end, end.code != .readOnly || policy != .snapshot { throw end }
        let editor: OpenEditor
        do throws(EditorFault) {
            editor = try list.edit(elementID, policy, through: view)
        } catch {
            throw ListError(error, of: elementID)
        }
        let fields = editor.value
        let element = try ElementCoder.decode(fields, id, as: Item.self).get()
        return Editor(editor, element, fields, rule, isThroughView: view != .shell)
    }

    /// The elements with drafts that nobody edits at the moment; `edit` takes them up.
    public var keptDrafts: [Item.ID] { list.keptEditors.compactMap { Item.ID($0) } }

    /// A binding on an element, looked up by its ID at every read and write. Once the element is
    /// gone it reads as it was last in the list, and a write is refused.
    public func binding(for id: Item.ID) throws(ListError) -> Binding<Item> {
        var last = try living(id).1
        return Binding(
            get: {
                last = self.last(of: id) ?? last
                return last
            },
            set: { (value) throws(ListError) in
                do throws(ListError) {
                    try self.update(id) { $0 = value }
                } catch {
                    self.list.refused(error)
                    throw error
                }
            })
    }

    /// The element as it is, or was when it was removed.
    private func last(of id: Item.ID) -> Item? {
        guard let elementID = id.elementID else { return nil }
        switch list.state.standing(of: elementID) {
        case .living(let element): return decoded.row(element).element
        case .grave(let grave?): return decoded.old(grave.last).element
        case .grave(nil), .unknown: return nil
        }
    }
}
