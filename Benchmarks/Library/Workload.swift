import ListModel
import ListProtocol

/// Random operations, the same for the same seed: renames, moves, insertions and deletions.
struct Workload {
    private var state: UInt64
    private var made = 0

    init(seed: UInt64) { state = seed }

    /// SplitMix64.
    mutating func number(below limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(max(1, limit)))
    }

    /// Half are renames; a quarter inserts, an eighth each moves and deletes.
    mutating func next(in list: ListState) -> Operation {
        made += 1
        guard let row = list.element(at: number(below: list.count)) else { return insert(.first) }
        switch number(below: 8) {
        case 0, 1: return insert(.after(row.id))
        case 2:
            let other = list.element(at: number(below: list.count)) ?? row
            guard other.id != row.id else { return rename(row.id) }
            return Operation(.move([row.id], to: .after(other.id)))
        case 3: return Operation(.delete(row.id, unlessEdited: false))
        default: return rename(row.id)
        }
    }

    mutating func rename(in list: ListState) -> Operation {
        made += 1
        return list.element(at: number(below: list.count)).map { rename($0.id) } ?? insert(.first)
    }

    private func rename(_ id: ElementID) -> Operation {
        Operation(.set(id, Fields([.title: .text("a new title, number \(made)")])))
    }

    private func insert(_ place: Place) -> Operation {
        Operation(.insert(Self.id("new-\(made)"), at: place, Self.fields(made)))
    }

    static func id(_ text: String) -> ElementID {
        guard let id = ElementID(text) else { preconditionFailure("\(text) is no ID") }
        return id
    }

    static func fields(_ number: Int) -> Fields {
        Fields([.title: .text("title of row \(number)")])
    }

    /// A list of so many rows, at version 1.
    static func list(_ count: Int) -> ListState {
        var list = ListState(head: Version(1), title: "", schema: nil)
        for number in 0..<count {
            _ = list.append(
                Element(
                    id: id("row-\(number)"), fields: fields(number), version: Version(1),
                    placed: Version(1), by: Client.ana, at: Timestamp(milliseconds: 1)))
        }
        return list
    }
}

/// A list and the parts in which a client gets it, made once for all rounds.
struct Prepared {
    let list: ListState
    let parts: [SnapshotPart]

    init(_ list: ListState) {
        self.list = list
        parts = Client.parts(of: list)
    }

    init(rows: Int) { self.init(Workload.list(rows)) }
}
