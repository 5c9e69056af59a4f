/// A list: its elements by ID, their order, and the graves that keep their places.
///
/// Everything that changes a list goes through two doors: `apply`, for entries that are resolved,
/// and `perform`, which resolves a mutation against the list as it is and applies what came of it,
/// keeping a `Journal` with which `revert` takes it back exactly. Both use the same five verbs
/// below. Cost: a look-up in a hash table and O(log n) a verb.
package struct ListState: Sendable {
    package typealias Slot = CountedTree.Slot

    /// The last entry that is part of this state, and its time.
    package internal(set) var head = Version.zero
    package internal(set) var lastAt = Timestamp.zero
    package internal(set) var title = ""
    package internal(set) var schema: Schema?

    package internal(set) var order = CountedTree()
    var slots: ContiguousArray<Occupant> = []
    var freeSlots: ContiguousArray<Slot> = []
    var index = SlotIndex()

    /// What stands in a slot. A grave without `isKnown` came from a snapshot: only its ID is true.
    struct Occupant: Sendable {
        var element: Element
        /// Apart, since few are graves.
        private var grave: Buried?

        init(element: Element, death: Death?) {
            self.element = element
            grave = death.map(Buried.init)
        }

        var isGrave: Bool { grave != nil }

        var death: Death? {
            get { grave?.death }
            set { grave = newValue.map(Buried.init) }
        }
    }

    private final class Buried: Sendable {
        let death: Death

        init(_ death: Death) { self.death = death }
    }

    struct Death: Sendable {
        var by: UserName
        var at: Timestamp
        var version: Version
        var isKnown: Bool
    }

    package init() {}

    /// Living elements, and graves.
    package var count: Int { order.livingCount }
    package var graveCount: Int { order.count - order.livingCount }

    /// What is known under an ID.
    package enum Standing {
        case living(Element)
        /// `nil` where only its place is known.
        case grave(Grave?)
        case unknown
    }

    /// Where an element stands, living or in its grave.
    func slot(of id: ElementID) -> Slot? {
        index.slot(hash: id.shortHash) { slots[Int($0)].element.id == id }
    }

    package func standing(of id: ElementID) -> Standing {
        guard let slot = slot(of: id) else { return .unknown }
        let occupant = slots[Int(slot)]
        guard let death = occupant.death else { return .living(occupant.element) }
        return .grave(death.isKnown ? grave(of: occupant.element, death) : nil)
    }

    package subscript(id: ElementID) -> Element? {
        guard let slot = slot(of: id), !slots[Int(slot)].isGrave else { return nil }
        return slots[Int(slot)].element
    }

    /// The element with `index` living ones before it. O(log n).
    package func element(at index: Int) -> Element? {
        let slot = order.slot(atLiving: index)
        return slot < 0 ? nil : slots[Int(slot)].element
    }

    /// How many living elements stand before this living one. O(log n).
    package func index(of id: ElementID) -> Int? {
        guard let slot = slot(of: id), !slots[Int(slot)].isGrave else { return nil }
        return order.livingIndex(of: slot)
    }

    /// How many living elements stand before this one, be it living or in its grave. O(log n).
    package func livingIndex(of id: ElementID) -> Int? {
        slot(of: id).map { order.livingIndex(of: $0) }
    }

    /// How many elements, graves included, stand before this one. O(log n).
    package func orderIndex(of id: ElementID) -> Int? {
        slot(of: id).map { order.index(of: $0) }
    }

    /// The ID before this one, graves included, or the last one of all for `nil`.
    package func id(before id: ElementID?) -> ElementID? {
        guard let id else { return order.last < 0 ? nil : slots[Int(order.last)].element.id }
        guard let slot = slot(of: id) else { return nil }
        let before = order.slot(before: slot)
        return before < 0 ? nil : slots[Int(before)].element.id
    }

    /// All in order, graves among the living; a grave's second value is `nil` where unknown. O(n).
    package func forEach(_ body: (_ element: Element, _ grave: Grave??) -> Void) {
        order.visit { slot, living in
            let occupant = slots[Int(slot)]
            if let death = occupant.death {
                body(
                    occupant.element,
                    .some(death.isKnown ? grave(of: occupant.element, death) : nil))
            } else {
                body(occupant.element, .none)
            }
        }
    }

    /// The living elements in order. O(n).
    package var elements: [Element] {
        var result: [Element] = []
        result.reserveCapacity(count)
        order.visit { slot, living in if living { result.append(slots[Int(slot)].element) } }
        return result
    }

    func grave(of element: Element, _ death: Death) -> Grave {
        Grave(last: element, by: death.by, at: death.at, version: death.version)
    }

    /// Throws where the order, the dictionary and the slots disagree. O(n log n).
    package func checkInvariants() throws(BrokenInvariant) {
        try order.checkInvariants()
        guard index.count == order.count else {
            throw BrokenInvariant("\(index.count) IDs, but \(order.count) in order")
        }
        for slot in index.slots {
            let id = slots[Int(slot)].element.id
            guard self.slot(of: id) == slot, order.contains(slot),
                order.isLiving(slot) != slots[Int(slot)].isGrave
            else { throw BrokenInvariant("\(id) in slot \(slot) is not what stands there") }
        }
    }
}
