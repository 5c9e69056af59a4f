internal import ListModel
public import Samelist

extension LiveList {
    /// A list of its own for a preview or a test of one screen: it needs no server and takes every
    /// verb, and what is done to it is confirmed when the verb returns.
    ///
    /// ```swift
    /// let todos = LiveList.preview([Todo(title: "Order cable"), Todo(title: "Page on-call")])
    /// try todos.rows.remove(atOffsets: [0])
    /// ```
    ///
    /// The elements were put there by somebody else, so there is nothing to undo. For more than one
    /// person, or a server that is away, there is `InMemoryServer`.
    ///
    /// - Precondition: the elements can be encoded, and their IDs differ.
    public static func preview(_ elements: [Item]) -> LiveList<Item> {
        let server = InMemoryServer(isImmediate: true)
        let author = server.client("author")
        do throws(ListError) {
            let list = try author.beginOpening("preview", create: true)
            try LiveList(list, of: author).append(contentsOf: elements)
            author.stop()
            let client = server.client("preview")
            return LiveList(try client.beginOpening("preview", create: false), of: client)
        } catch {
            preconditionFailure("no preview of these elements: \(error)")
        }
    }
    /// A list that stays as it is, for the preview of a screen that only shows: every verb throws
    /// `read_only`, which `closed` says, too.
    ///
    /// ```swift
    /// let todos = LiveList.constant([Todo(title: "Order cable")])
    /// ```
    ///
    /// - Precondition: the elements can be encoded, and their IDs differ.
    public static func constant(_ elements: [Item]) -> LiveList<Item> {
        let list = preview(elements)
        list.list.ended(
            with: Refusal(.readOnly, "a constant list stays as it is; `preview` takes changes"))
        return list
    }
}
