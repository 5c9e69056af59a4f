/// A confirmed list with not-yet-confirmed mutations on top: what is visible before it is certain.
///
/// On a client the pending work waits for the server, in the authority it waits for the log. Both
/// sides propose, and then either learn that the oldest are confirmed as predicted (`settle`), or
/// that something else came first (`rebase`), or that some will never be (`drop`). Pending
/// mutations are taken back newest first and played again oldest first, so the result depends on
/// the confirmed list and the order of the pending ones alone. Cost of a rebase: proportional to
/// the pending work. Entries that have nothing to do with it `pass` under it instead.
package struct Speculation: Sendable {
    /// The list as it is visible: confirmed entries, then what the pending mutations come to.
    package internal(set) var list: ListState
    package internal(set) var pending: [Pending] = []
    /// Of all pending work, once somebody has asked; `nil`: to be gathered.
    var reach: Reach?
    /// The head of the confirmed list.
    package var confirmedHead: Version { pending.first?.headBefore ?? list.head }

    /// The same, read in place: read as a property of somebody's property, all of this is copied
    /// first.
    package mutating func currentHead() -> Version { confirmedHead }

    package struct Pending: Sendable {
        package let mutation: Mutation
        package let by: UserName
        package let at: Timestamp
        package internal(set) var resolution: Resolution
        var headBefore: Version
        var lastAtBefore: Timestamp
        /// The list's head once this was performed: the version it is predicted to get, where it
        /// gets one.
        package internal(set) var headAfter: Version
        /// The time of its entry: that of the proposal, unless the log is already later.
        package internal(set) var lastAt: Timestamp
        /// Whether it may come to something else though the list is as it was.
        var isUnsure = false
    }

    package init(_ list: ListState = ListState()) { self.list = list }

    /// Resolves and applies on top of everything that is pending. It stays pending, whatever came
    /// of it.
    @discardableResult
    package mutating func propose(_ mutation: Mutation, _ context: ResolutionContext) -> Resolution
    {
        var next = Pending(
            mutation: mutation, by: context.by, at: context.at, resolution: Resolution(),
            headBefore: list.head, lastAtBefore: list.lastAt, headAfter: list.head,
            lastAt: list.lastAt)
        next.resolution = list.perform(mutation, context)
        next.headAfter = list.head
        next.lastAt = list.lastAt
        reach?.add(&next)
        pending.append(next)
        return next.resolution
    }

    /// The oldest `count` are confirmed exactly as predicted.
    package mutating func settle(_ count: Int) {
        pending.removeFirst(min(count, pending.count))
        if count > 0 { reach = nil }
    }

    /// The elements on which the pending work acts.
    package mutating func targets() -> Set<ElementID> {
        pending.isEmpty ? [] : Set(currentReach().targets)
    }

    mutating func currentReach() -> Reach {
        if let reach { return reach }
        var gathered = Reach()
        for index in pending.indices { gathered.add(&pending[index]) }
        reach = gathered
        return gathered
    }

    /// Takes all pending work back, lets `change` alter the confirmed list, drops what `isDone` by
    /// then, and plays the rest again; also where `change` throws, on what it left.
    package mutating func rebase<Failure: Error>(
        _ context: (Pending) -> ResolutionContext, dropping isDone: (Pending) -> Bool,
        _ change: (inout ListState) throws(Failure) -> Void
    ) throws(Failure) {
        for waiting in pending.reversed() {
            list.revert(waiting.resolution, to: waiting.headBefore, waiting.lastAtBefore)
        }
        let waiting = pending
        do {
            try change(&list)
        } catch {
            replay(waiting, context)
            throw error
        }
        replay(waiting.filter { !isDone($0) }, context)
    }

    private mutating func replay(_ waiting: [Pending], _ context: (Pending) -> ResolutionContext) {
        pending = []
        reach = nil
        for next in waiting {
            var next = next
            next.headBefore = list.head
            next.lastAtBefore = list.lastAt
            next.resolution = list.perform(next.mutation, context(next))
            next.headAfter = list.head
            next.lastAt = list.lastAt
            pending.append(next)
        }
    }
}
