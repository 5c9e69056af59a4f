/// What resolution must know besides the list and the mutation.
package struct ResolutionContext {
    package let at: Timestamp
    package let by: UserName
    package let limits: Limits
    /// Who else has an editor open on an element; `nil` where nobody is known to.
    package let editor: (ElementID) -> UserName?
    /// Whether an earlier mutation of the same client was logged.
    package let isLogged: (MutationNumber) -> Bool

    package init(
        at: Timestamp, by: UserName, limits: Limits,
        editor: @escaping (ElementID) -> UserName? = { _ in nil },
        isLogged: @escaping (MutationNumber) -> Bool = { _ in true }
    ) {
        self.at = at
        self.by = by
        self.limits = limits
        self.editor = editor
        self.isLogged = isLogged
    }
}

/// What a mutation comes to against one state of a list.
package struct Resolution: Sendable {
    package internal(set) var operations: [ResolvedOperation] = []
    package internal(set) var skips: [Skip] = []
    package internal(set) var refusal: Refusal?
    var steps: [Step] = []

    package var isLogged: Bool { refusal == nil && !operations.isEmpty }
}

extension ListState {
    /// Resolves a mutation against this state and applies what remains of it as the next entry; see
    /// the table in design.md, section 2. Total and deterministic. Refused, the list is as it was.
    package mutating func perform(_ mutation: Mutation, _ context: ResolutionContext) -> Resolution
    {
        let at = Faults.has(.timeGoesBack) ? context.at : max(context.at, lastAt)
        let stamp = Stamp(version: head.next, at: at, by: context.by)
        var resolver = Resolver(stamp: stamp)
        for (index, operation) in mutation.operations.enumerated() {
            resolver.resolve(operation, at: index, &self, context)
            if mutation.atomic, resolver.refusal == nil, let skip = resolver.skips.first {
                let code = skip.code.rawValue
                resolver.refusal = Refusal(
                    .skippedInAtomic,
                    "operation \(index) would be skipped (\(code)), so nothing was done",
                    id: skip.id)
            }
            if resolver.refusal != nil { break }
        }
        if resolver.refusal != nil || !resolver.isSeen {
            for step in resolver.steps.reversed() { takeBack(step) }
            return Resolution(skips: resolver.skips, refusal: resolver.refusal)
        }
        head = stamp.version
        lastAt = stamp.at
        return Resolution(
            operations: resolver.operations, skips: resolver.skips, steps: resolver.steps)
    }

    /// Takes a performed mutation back. It must be the last one that changed this list.
    mutating func revert(_ resolution: Resolution, to head: Version, _ lastAt: Timestamp) {
        for step in resolution.steps.reversed() { takeBack(step) }
        self.head = head
        self.lastAt = lastAt
    }

    /// The operations that take a performed mutation back; see `inverse(of:_:at:)`.
    package func inverse(of resolution: Resolution, at version: Version?) -> [Operation] {
        inverse(of: resolution.operations, resolution.steps, at: version)
    }
}
