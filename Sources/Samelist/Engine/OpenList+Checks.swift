internal import ListModel
internal import ListReplica

/// Submitting as the typed face does it: what is known to come to nothing is thrown at once.
extension OpenList {
    func checkOpen() throws(ListError) {
        if let end { throw end }
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
        for operation in operations {
            let size = operation.byteCount
            // Half of a message is left for names, numbers and escapes.
            if part.count == limits.operations || bytes + size > limits.messageBytes / 2,
                !part.isEmpty
            {
                decisions.append(try submitOrThrow(part))
                part = []
                bytes = 0
            }
            part.append(operation)
            bytes += size
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
    /// An estimate, for the bound of a message.
    fileprivate var byteCount: Int {
        switch intent {
        case .insert(_, _, let fields), .set(_, let fields): 200 + fields.byteCount
        case .move(let ids, _), .forget(let ids): 200 + 67 * ids.count
        case .count, .delete, .restore, .describe: 200
        }
    }
}
