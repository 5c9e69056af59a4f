internal import ListModel
internal import ListProtocol

/// Whether rows that the server told are what the log comes to at their version.
enum RowProof {
    /// Reads the log anew, and compares each snapshot that a client got with what it has come to.
    static func flaws(
        in snapshots: SharedSnapshots, of log: SharedLog, _ decoder: MessageDecoder
    ) -> [Flaw] {
        var replay = ListState()
        var flaws: [Flaw] = []
        for version in snapshots.versions {
            guard version <= log.head else {
                // Where nobody was given in time what lies between; the rows cannot be judged.
                flaws.append(.lost(log.list, version - log.head))
                continue
            }
            advance(&replay, to: version, log, decoder)
            let told = list(of: snapshots.parts(of: version), decoder)
            if let difference = difference(told, replay) {
                flaws.append(.diverged(log.list, version, "a snapshot: \(difference)"))
            }
        }
        return flaws
    }

    /// The list that the parts of a snapshot make.
    static func list(of parts: [[UInt8]], _ decoder: MessageDecoder) -> ListState? {
        var list: ListState?
        for bytes in parts {
            guard case .snapshot(_, let part)? = try? decoder.decodeServerMessage(bytes) else {
                return nil
            }
            if part.index == 0 {
                list = ListState(
                    head: part.position.version, title: part.title, schema: part.schema)
            }
            for row in part.rows {
                let isNew: Bool? =
                    switch row {
                    case .element(let element): list?.append(element)
                    case .grave(let id, let grave): list?.append(graveOf: id, grave)
                    }
                guard isNew == true else { return nil }
            }
        }
        return list
    }

    /// What differs, in words; `nil` where nothing does: version, title, the living with all that
    /// is told of them, and the graves among them.
    static func difference(_ told: ListState?, _ log: ListState) -> String? {
        guard let told else { return "the rows cannot be read" }
        guard told.head == log.head else { return "version \(told.head) instead of \(log.head)" }
        guard told.title == log.title else { return "another title" }
        let (left, right) = (order(of: told), order(of: log))
        guard left.count == right.count else {
            return "\(left.count) rows instead of \(right.count)"
        }
        guard let index = left.indices.first(where: { left[$0] != right[$0] }) else { return nil }
        return "row \(index) is \(left[index].id) instead of \(right[index].id), or differs in it"
    }

    private struct Row: Equatable {
        let id: ElementID
        /// `nil` for a grave.
        let element: Element?
    }

    private static func order(of list: ListState) -> [Row] {
        var rows: [Row] = []
        func add(_ element: Element, _ grave: Grave??) {
            rows.append(Row(id: element.id, element: grave == nil ? element : nil))
        }
        list.forEach(add)
        return rows
    }

    private static func advance(
        _ replay: inout ListState, to version: UInt64, _ log: SharedLog, _ decoder: MessageDecoder
    ) {
        while replay.head.number < version {
            let through = min(replay.head.number + 64, version)
            let frame = log.frame(after: replay.head.number, through: through)
            guard case .entries(_, let entries)? = try? decoder.decodeServerMessage(frame) else {
                return
            }
            for entry in entries {
                guard (try? replay.apply(entry)) != nil else { return }
            }
        }
    }
}
