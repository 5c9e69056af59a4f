internal import ListModel
internal import ListReplica

/// Submitting as the typed face does it: what is known to come to nothing is thrown at once.
extension OpenList {
    func checkOpen() throws(ListError) {
        if let end { throw end }
        try checkLooking()
        try checkQueue()
    }

    /// A filter or an order is asked while the list changes.
    func checkLooking() throws(ListError) {
        guard lookers > 0 else { return }
        throw ListError(
            .readOnly, "a filter or an order only looks at elements; write once it has answered")
    }

    func checkQueue() throws(ListError) {
        if pendingCount >= limits.pending {
            throw ListError(
                .queueFull, saying: "\(limits.pending) changes wait for the server")
        }
    }

    func submitOrThrow(_ operations: [Operation]) throws(ListError) -> Decision {
        try checkOpen()
        let decision = decision(of: propose(operations), isThrown: true)
        if case .refused(let refusal)? = decision.outcome { throw ListError(refusal) }
        return decision
    }

    /// As one mutation, or as several where one would be larger than the server takes; these are
    /// taken back as one.
    func submitInParts(_ operations: [Operation]) throws(ListError) -> [Decision] {
        try checkOpen()
        let before = replica.lastNumber
        defer { join(from: before.next, through: replica.lastNumber) }
        return try submitParts(operations)
    }

    private func submitParts(_ operations: [Operation]) throws(ListError) -> [Decision] {
        var decisions: [Decision] = []
        var part: [Operation] = []
        var bytes = 0
        var weight = 0
        for operation in operations.flatMap({ $0.inParts(limits) }) {
            let size = operation.byteCount
            // Half of a message is left for names, numbers and escapes.
            // What takes a move back is an operation for each element.
            let targets = operation.targets.count
            if weight + targets > limits.operations || bytes + size > limits.messageBytes / 2,
                !part.isEmpty
            {
                decisions.append(try submitOrThrow(part))
                part = []
                bytes = 0
                weight = 0
            }
            part.append(operation)
            bytes += size
            weight += targets
        }
        if !part.isEmpty { decisions.append(try submitOrThrow(part)) }
        return decisions
    }

    /// Whether an element may hold so much.
    func checkBounds(of fields: Fields, _ id: ElementID) throws(ListError) {
        if fields.byteCount > limits.elementBytes {
            throw ListError(
                .tooLarge,
                saying: "an element holds at most \(limits.elementBytes) bytes, \(id) has "
                    + "\(fields.byteCount)", id: id)
        }
        if fields.count > limits.fields {
            throw ListError(
                .tooMany,
                saying: "an element has at most \(limits.fields) fields, \(id) has "
                    + "\(fields.count)", id: id)
        }
    }

    /// The element, or who removed it.
    func living(_ id: ElementID) throws(ListError) -> ListModel.Element {
        switch state.standing(of: id) {
        case .living(let element): return element
        case .grave(let grave):
            let who = grave.map { " by \($0.by)" } ?? ""
            throw ListError(
                .removed, saying: "\(id) was removed\(who)", id: id, by: grave?.by)
        case .unknown:
            throw ListError(.noSuchElement, saying: "there is no element \(id)", id: id)
        }
    }
}

extension ListElementID {
    /// The ID as the list has it.
    func checked() throws(ListError) -> ElementID {
        if let elementID { return elementID }
        throw ListError(.badID, saying: "\"\(self)\" is no ID")
    }
}

extension ListPosition {
    func place() throws(ListError) -> Place {
        switch self {
        case .first: .first
        case .last: .last
        case .after(let id): .after(try id.checked())
        case .before(let id): .before(try id.checked())
        }
    }
}

extension Operation {
    /// A move of more than one may hold as several that come to the same: each finds its place by
    /// the neighbour that the whole has.
    fileprivate func inParts(_ limits: Limits) -> [Operation] {
        guard case .move(let ids, let place) = intent else { return [self] }
        // As long as IDs may be, with what is written between them.
        let most = max(1, min(limits.operations, limits.elementBytes / 67))
        guard ids.count > most else { return [self] }
        let parts = stride(from: 0, to: ids.count, by: most).map { start in
            Operation(.move(Array(ids[start..<min(start + most, ids.count)]), to: place))
        }
        return switch place {
        case .last, .before: parts
        case .first, .after: parts.reversed()
        }
    }

    /// An estimate, for the bound of a message.
    fileprivate var byteCount: Int {
        switch intent {
        case .insert(_, _, let fields), .set(_, let fields): 200 + fields.byteCount
        case .move(let ids, _), .forget(let ids): 200 + 67 * ids.count
        case .count, .delete, .restore, .describe: 200
        }
    }
}
