@testable import ListModel

/// Mutations as people might send them at once: most fit the list, many do not.
///
/// It looks at the list only for IDs, so it may be asked by a replica that is behind.
struct RandomMutations {
    var random: SeededGenerator
    /// Distinguishes the IDs that this source makes from those of others.
    let name: String
    /// Leaves out what cannot be undone to the letter: forgotten graves, and counts, which go from
    /// "not there" to 0 and round broken numbers.
    var isReversible = false
    private var made = 0

    init(seed: UInt64, name: String = "e") {
        random = SeededGenerator(seed: seed)
        self.name = name
    }

    mutating func operations(_ list: ListState) -> [ListModel.Operation] {
        var living: [ElementID] = []
        var graves: [ElementID] = []
        list.visit { element, grave in
            if grave == nil { living.append(element.id) } else { graves.append(element.id) }
        }
        if graves.count > 12, !isReversible, random.chance(30) {
            return [Operation(.forget(["nobody"] + graves.filter { _ in random.chance(70) }))]
        }
        let most = random.pick([4, 20, 80])
        return (0..<1 + random.below(most)).map { _ in operation(living, graves, list.head) }
    }

    private mutating func operation(
        _ living: [ElementID], _ graves: [ElementID], _ head: Version
    ) -> ListModel.Operation {
        let id = someone(living, graves)
        switch random.below(living.count < 12 ? 13 : 17) {
        case 0...3: return Operation(insert(living, graves))
        case 4, 5: return Operation(.set(id, fields()), if: condition(head))
        case 6 where !isReversible:
            return Operation(.count(id, fieldName(), by: number()), if: condition(head))
        case 7, 8:
            let ids = (0..<random.pick([1, 1, 2, 5])).map { _ in someone(living, graves) }
            return Operation(.move(ids, to: place(living, graves)), if: condition(head))
        case 9: return Operation(.restore(graves.isEmpty ? id : random.pick(graves)))
        case 10: return Operation(.restore(id), if: condition(head))
        case 11 where random.chance(10) && !isReversible: return Operation(describe())
        default: return Operation(.delete(id, unlessEdited: random.chance(30)), if: condition(head))
        }
    }

    private mutating func insert(
        _ living: [ElementID], _ graves: [ElementID]
    ) -> ListModel.Operation.Intent {
        let place = place(living, graves)
        if random.chance(3) { return .insert(someone(living, graves), at: place, fields()) }
        made += 1
        return .insert(ElementID("\(name)\(made)")!, at: place, fields())
    }

    /// Anybody: alive, in a grave, just made, or never seen.
    private mutating func someone(_ living: [ElementID], _ graves: [ElementID]) -> ElementID {
        let roll = random.below(100)
        if roll < 75, !living.isEmpty { return random.pick(living) }
        if roll < 88, !graves.isEmpty { return random.pick(graves) }
        if roll < 97, made > 0 { return ElementID("\(name)\(made - random.below(min(made, 4)))")! }
        return "nobody"
    }

    private mutating func place(_ living: [ElementID], _ graves: [ElementID]) -> Place {
        switch random.below(6) {
        case 0: .first
        case 1: .last
        case 2, 3: .after(someone(living, graves))
        default: .before(someone(living, graves))
        }
    }

    private mutating func fieldName() -> FieldName { random.pick(["title", "n", "note"]) }

    private mutating func number() -> Value {
        random.pick([.int(1), .int(-2), .double(0.5), .int(.max), "1"])
    }

    private mutating func fields() -> Fields {
        var fields = Fields()
        for _ in 0..<random.below(3) {
            fields[fieldName()] = random.pick(["x", "y", .int(1), .int(2), nil, .bool(true)])
        }
        return fields
    }

    private mutating func condition(_ head: Version) -> Condition? {
        func version(_ random: inout SeededGenerator) -> Version {
            Version(head.number - min(head.number, UInt64(random.below(6))))
        }
        switch random.below(20) {
        case 0: return Condition(fields: fields())
        case 1: return Condition(version: version(&random))
        case 2: return Condition(placed: version(&random))
        case 3: return Condition(needs: MutationNumber(UInt64(random.below(3))))
        default: return nil
        }
    }

    private mutating func describe() -> ListModel.Operation.Intent {
        let schema = random.pick([nil, Schema(), Schema(["n": .number]), Schema(["note": .text])])
        return .describe(title: random.pick([nil, "one", "two"]), schema: schema)
    }
}
