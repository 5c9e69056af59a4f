/// Taking a list apart into rows, and putting it together from them: snapshots, stored or sent.
extension ListState {
    /// The empty list of a snapshot at `head`; its rows follow by `append`, in order.
    package init(head: Version, lastAt: Timestamp = .zero, title: String, schema: Schema?) {
        self.init()
        self.head = head
        self.lastAt = lastAt
        self.title = title
        self.schema = schema?.types.isEmpty == true ? nil : schema
    }

    /// The list goes on behind another one's last entry, if that was later.
    package mutating func passed(_ other: ListState) {
        head = max(head, other.head)
        lastAt = max(lastAt, other.lastAt)
    }

    /// Puts a living element behind all others. False where its ID is already there.
    package mutating func append(_ element: Element) -> Bool {
        guard slot(of: element.id) == nil else { return false }
        occupy(element, death: nil, after: order.last)
        lastAt = max(lastAt, element.at)
        return true
    }

    /// Puts a grave behind all others; without details where only its ID is known.
    package mutating func append(graveOf id: ElementID, _ grave: Grave?) -> Bool {
        guard slot(of: id) == nil else { return false }
        let last =
            grave?.last
            ?? Element(
                id: id, fields: Fields(), version: .zero, placed: .zero, by: .nobody, at: .zero)
        let death = Death(
            by: grave?.by ?? .nobody, at: grave?.at ?? .zero, version: grave?.version ?? .zero,
            isKnown: grave != nil)
        occupy(last, death: death, after: order.last)
        lastAt = max(lastAt, death.at)
        return true
    }

    /// What a replica has since learnt of a grave that it knew by its place alone.
    package mutating func learn(_ grave: Grave) {
        guard let slot = slot(of: grave.id), let death = slots[Int(slot)].death, !death.isKnown
        else { return }
        slots[Int(slot)] = Occupant(
            element: grave.last,
            death: Death(by: grave.by, at: grave.at, version: grave.version, isKnown: true))
    }

    /// The graves to forget so that at most `most` are left and none is older than `oldest`, the
    /// oldest first. O(n); the caller asks rarely.
    package func gravesToForget(most: Int, oldest: Timestamp) -> [ElementID] {
        var graves: [(version: Version, at: Timestamp, id: ElementID)] = []
        for (slot, occupant) in slots.enumerated() {
            // A slot that was given back still holds what stood there; its ID may live elsewhere.
            if let death = occupant.death, self.slot(of: occupant.element.id) == Slot(slot) {
                graves.append((death.version, death.at, occupant.element.id))
            }
        }
        graves.sort { $0.version < $1.version }
        let surplus = max(0, graves.count - most)
        return graves.enumerated().filter { $0.offset < surplus || $0.element.at < oldest }
            .map(\.element.id)
    }
}
