internal import ListModel
internal import ListProtocol

/// New rows as mutations.
enum Insertion {
    /// Half of what a message may hold.
    private static let mostBytes = Limits().messageBytes / 2

    /// Rows as parts that each fit one mutation.
    static func batches(_ ids: [ElementID], _ rows: [Fields]) -> [Range<Int>] {
        var batches: [Range<Int>] = []
        var start = 0
        var bytes = 0
        for index in ids.indices {
            // Besides the fields: two IDs, and the names of members.
            let size = MessageEncoder.encode(rows[index]).count + 2 * 64 + 40
            if index > start, bytes + size > mostBytes || index - start >= Limits().operations {
                batches.append(start..<index)
                start = index
                bytes = 0
            }
            bytes += size
        }
        if start < ids.count { batches.append(start..<ids.count) }
        return batches
    }

    /// The first at a place, each next right behind the one before.
    static func operations(
        _ ids: ArraySlice<ElementID>, _ rows: ArraySlice<Fields>, at place: Place
    ) -> [Operation] {
        var place = place
        return zip(ids, rows).map { id, fields in
            defer { place = .after(id) }
            return Operation(.insert(id, at: place, fields))
        }
    }
}

extension Conversation {
    /// Throws where the server would hang up on a message with these fields.
    func checkSize(of fields: Fields, _ id: ElementID) throws(Failure) {
        let most = core.welcome?.elementBytes ?? Limits().elementBytes
        let size = MessageEncoder.encode(fields).count
        guard size > most else { return }
        throw Failure(
            .refused, Code.tooLarge.rawValue,
            "row \(id) takes \(size) bytes; the server takes rows of up to \(most).", id: id)
    }
}
