import ListModel
import ListProtocol

extension Samples {
    mutating func place() -> Place {
        switch Int.random(in: 0..<4, using: &self) {
        case 0: .first
        case 1: .last
        case 2: .after(id())
        default: .before(id())
        }
    }

    mutating func anchor() -> Anchor { chance() ? .first : .after(id()) }

    mutating func operation() -> Operation {
        let intent: Operation.Intent =
            switch Int.random(in: 0..<7, using: &self) {
            case 0: .insert(id(), at: place(), fields().withoutNulls)
            case 1: .set(id(), fields())
            case 2: .count(id(), field(), by: number())
            case 3: .move(some(4) { $0.id() }, to: place())
            case 4: .delete(id(), unlessEdited: chance())
            case 5: .restore(id())
            default: .describe(title: maybe { $0.text() }, schema: maybe { $0.schema() })
            }
        return Operation(
            intent,
            if: maybe {
                Condition(
                    fields: $0.maybe { $0.fields() }, version: $0.maybe { $0.version() },
                    placed: $0.maybe { $0.version() }, needs: $0.maybe { $0.n() })
            })
    }

    mutating func resolved() -> ResolvedOperation {
        switch Int.random(in: 0..<8, using: &self) {
        case 0: .insert(id(), after: anchor(), fields())
        case 1: .set(id(), fields())
        case 2: .count(id(), field(), by: number(), is: number())
        case 3: .move(some(4) { $0.id() }, after: anchor())
        case 4: .delete(id())
        case 5: .restore(id(), fields())
        case 6: .describe(title: maybe { $0.text() }, schema: maybe { $0.schema() })
        default: .forget(some(4) { $0.id() })
        }
    }

    mutating func skip() -> Skip {
        Skip(
            operation: Int(number() as UInt64), id: maybe { $0.id() }, code: code(),
            by: maybe { $0.user() })
    }

    /// As everybody sees it: without `heard` and `digest`.
    mutating func entry() -> Entry {
        Entry(
            version: version(), at: at(), by: user(), client: client(), n: n(),
            operations: some(4) { $0.resolved() }, skips: some(2) { $0.skip() })
    }

    mutating func mutation() -> Mutation {
        Mutation(
            client: client(), n: n(), operations: some(4) { $0.operation() }, atomic: chance())
    }

    mutating func clientMessage() -> ClientMessage {
        switch Int.random(in: 0..<13, using: &self) {
        case 0: .hello(.init(client: client(), name: user(), token: maybe { $0.text() }))
        case 1:
            .open(
                .init(
                    list: list(), create: chance(), position: maybe { $0.position() },
                    editing: some(3) { $0.id() }, heard: chance() ? .zero : n(),
                    presence: chance(), base: chance()))
        case 2: .close(list())
        case 3:
            .submit(
                .init(
                    list: list(), n: n(), heard: chance() ? .zero : n(),
                    operations: some(5) { $0.operation() }, atomic: chance(),
                    epoch: maybe { $0.epoch() }))
        case 4: .presence(list(), editing: some(3) { $0.id() })
        case 5: .who(number(), list())
        case 6:
            .create(number(), list(), title: maybe { $0.text() }, schema: maybe { $0.schema() })
        case 7: .remove(number(), list())
        case 8: .lists(number())
        case 9:
            .history(
                number(), list(), of: maybe { $0.id() }, before: maybe { $0.version() }, limit: 50)
        case 10: .fates(number(), list(), some(3) { $0.id() })
        case 11: .renew(number(), token: text())
        default: .ping(number(), maybe { $0.list() })
        }
    }
}
