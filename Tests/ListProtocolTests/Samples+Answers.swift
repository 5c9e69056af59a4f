import ListModel
import ListProtocol

extension Samples {
    /// `graveDetails` as in records; a part of an index above 0 has neither title nor schema.
    mutating func part(graveDetails: Bool) -> SnapshotPart {
        let index = Int.random(in: 0..<3, using: &self)
        return SnapshotPart(
            position: position(), index: index, isLast: chance(), title: index == 0 ? text() : "",
            schema: index == 0 ? maybe { $0.schema() } : nil,
            base: graveDetails ? nil : maybe { $0.at() },
            rows: some(6) { $0.row(graveDetails: graveDetails) })
    }

    private mutating func row(graveDetails: Bool) -> SnapshotPart.Row {
        guard chance(3) else { return .element(element()) }
        guard graveDetails, chance() else { return .grave(id(), nil) }
        let grave = grave()
        return .grave(grave.id, grave)
    }

    mutating func refusal() -> Refusal { Refusal(code(), text(), id: maybe { $0.id() }) }

    mutating func answer() -> ServerMessage.Answer {
        let outcome: Outcome =
            switch Int.random(in: 0..<3, using: &self) {
            case 0: .logged(version(), skips: some(2) { $0.skip() })
            case 1: .nothing(skips: some(2) { $0.skip() })
            default: .refused(refusal())
            }
        return .init(outcome, told: some(2) { $0.user() }, current: some(2) { $0.element() })
    }

    mutating func presence() -> Presence {
        Presence(session: number(), name: user(), editing: some(3) { $0.id() })
    }

    mutating func fate() -> Fate {
        switch Int.random(in: 0..<3, using: &self) {
        case 0: .alive(id())
        case 1: .deleted(grave())
        default: .unknown(id())
        }
    }

    mutating func summary() -> ListSummary {
        ListSummary(
            name: list(), title: text(), version: maybe { $0.version() },
            count: maybe { Int($0.number() as UInt64) }, open: Int(number() as UInt64))
    }

    mutating func serverMessage() -> ServerMessage {
        switch Int.random(in: 0..<15, using: &self) {
        case 0:
            .welcome(
                .init(
                    name: user(), session: number(), expires: maybe { $0.at() }, messageBytes: 1,
                    operations: 2,
                    elementBytes: 3, fields: 4))
        case 1: .snapshot(list(), part(graveDetails: false))
        case 2: .entries(list(), some(4) { $0.entry() })
        case 3:
            .caughtUp(
                list(), position(), logged: chance() ? [] : [n(), n()],
                highest: chance() ? .zero : n())
        case 4: .outcome(list(), n(), answer())
        case 5:
            .presence(
                list(),
                PresenceChange(
                    isWhole: chance(), here: some(3) { $0.presence() },
                    left: some(3) { $0.number() }))
        case 6: .gone(list(), .init(code: .listDeleted, by: maybe { $0.user() }, at: at()))
        default: reply()
        }
    }

    private mutating func reply() -> ServerMessage {
        switch Int.random(in: 0..<9, using: &self) {
        case 0: .who(number(), list(), some(3) { $0.presence() })
        case 1: .fates(maybe { $0.number() }, list(), some(3) { $0.fate() })
        case 2: .done(number(), maybe { $0.list() })
        case 3: .lists(number(), some(3) { $0.summary() })
        case 4: .history(number(), list(), some(3) { $0.entry() })
        case 5: .pong(number(), maybe { $0.list() }, maybe { $0.version() })
        case 6: .renewed(number(), expires: maybe { $0.at() })
        case 7: .error(maybe { $0.number() }, maybe { $0.list() }, refusal())
        default: .goodbye(.init(code: 4100, sentence: text(), retry: maybe { _ in 250 }))
        }
    }
}
