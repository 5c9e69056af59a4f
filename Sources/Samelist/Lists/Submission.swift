public import ListModel

/// Work that is done here already and on its way to the server.
///
/// It may be ignored: the work is kept, sent, and shown as it is decided. What is refused then is
/// told by the list's `refusals`.
@MainActor
@dynamicMemberLookup
public struct Submission<Value: Sendable>: Sendable {
    /// What the work came to here: the element as it was when the verb returned.
    public let submitted: Value
    let decisions: [Decision]
    /// What was submitted is decided only while its client is there.
    let client: ListClient

    /// A property of what the work came to.
    public subscript<Member>(dynamicMember path: KeyPath<Value, Member>) -> Member {
        submitted[keyPath: path]
    }

    /// Whether the server has yet to decide.
    public var isPending: Bool { decisions.contains { $0.outcome == nil } }

    /// Returns once the server has decided, as long as that takes; throws what it refused. Of what
    /// a cancelled task waited for, nothing is taken back.
    @discardableResult
    public func acknowledged() async throws(ListError) -> Version? {
        var version: Version?
        for decision in decisions { version = try await decision.acknowledged() ?? version }
        return version
    }
}
