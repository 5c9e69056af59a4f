import ListModel
import ListProtocol
import PairHarness

@testable import ListReplica

/// Somebody at a client, with one list open; remembers what was told.
final class Person {
    let node: ClientNode
    let world: World
    let list: ListName
    private(set) var told: [Told] = []
    private(set) var outcomes: [MutationNumber: [ServerMessage.Answer]] = [:]
    private(set) var answers: [RequestID: Reply] = [:]
    private(set) var failures: [Refusal] = []
    private(set) var closings: [ServerMessage.Gone] = []
    private(set) var replacements: [LogReplacement] = []
    private(set) var caughtUps = 0
    private(set) var failedSaves = 0
    /// Called after each step that told anything, with what it told editors.
    var onStep: ([Told]) -> Void = { _ in }

    struct Told: Equatable {
        let id: ElementID
        let event: EditorEvent
        init(_ id: ElementID, _ event: EditorEvent) {
            self.id = id
            self.event = event
        }
    }

    init(_ world: World, _ name: String, as user: String? = nil, on list: ListName = "list") {
        self.world = world
        self.list = list
        node = world.addClient(name, as: user)
        // Whoever is not looked at any more goes on all the same, unheard.
        node.onStart = { [weak self, unowned node, unowned world] core in
            core.goOnline(at: world.now)
            do throws(Refusal) {
                try core.open(list, create: true, stored: node.kept(of: list), at: world.now)
            } catch {
                self?.failures.append(error)
            }
        }
        node.onNews = { [weak self] news in self?.absorb(news) }
    }

    private func absorb(_ news: [News]) {
        var step: [Told] = []
        for item in news {
            switch item {
            case .editor(_, let id, let event): step.append(Told(id, event))
            case .outcome(_, let n, let report): outcomes[n, default: []].append(report.answer)
            case .answer(let request, let reply): answers[request] = reply
            case .failed(_, let refusal): failures.append(refusal)
            case .closed(_, let gone): closings.append(gone)
            case .caughtUp: caughtUps += 1
            case .stateFailed: failedSaves += 1
            case .logReplaced(_, let replacement): replacements.append(replacement)
            case .changed, .committed, .presence, .link, .saved, .entries: break
            }
        }
        told += step
        onStep(step)
    }

    /// What editors were told since this was last asked, presence left out.
    func takeTold() -> [Told] {
        defer { told = [] }
        return told.filter {
            if case .presence = $0.event { return false }
            return true
        }
    }

    var replica: Replica? { node.core?.replicas[list] }
    var ids: [String] { replica?.list.elements.map(\.id.text) ?? [] }
    func fields(_ id: ElementID) -> Fields? { replica?.list[id]?.fields }
    func editor(_ id: ElementID) -> Editor? { replica?.editors[id] }

    @discardableResult
    func submit(_ operations: Operation...) -> MutationNumber? {
        node.perform { core, now in core.submit(operations, to: list, at: now) }
    }

    @discardableResult
    func set(_ id: ElementID, _ fields: Fields) -> MutationNumber? {
        submit(Operation(.set(id, fields)))
    }

    @discardableResult
    func add(_ id: ElementID, _ fields: Fields = ["title": "x"], at place: Place = .last)
        -> MutationNumber?
    {
        submit(Operation(.insert(id, at: place, fields)))
    }

    @discardableResult
    func delete(_ id: ElementID) -> MutationNumber? {
        submit(Operation(.delete(id, unlessEdited: false)))
    }

    @discardableResult
    func restore(_ id: ElementID) -> MutationNumber? { submit(Operation(.restore(id))) }

    @discardableResult
    func edit(_ id: ElementID, _ policy: Editor.Policy = .draft) throws -> Editor {
        try node.perform { core, now in try core.edit(id, policy, in: list, at: now) }
    }

    @discardableResult
    func type(_ fields: Fields, into id: ElementID) throws -> MutationNumber? {
        try node.perform { core, now in try core.type(fields, into: id, in: list, at: now) }
    }

    /// An editor beside that on the element.
    @discardableResult
    func accompany(_ id: ElementID, _ policy: Editor.Policy) throws -> EditorNumber {
        try node.perform { core, now in
            try core.accompany(id, policy, through: .shell, in: list, at: now)
        }
    }

    /// What companions were told since this was last asked, presence left out.
    func takeCompanionEvents() -> [(number: EditorNumber, event: EditorEvent)] {
        (node.core?.takeCompanionEvents() ?? []).filter {
            if case .presence = $0.event { return false }
            return true
        }.map { ($0.number, $0.event) }
    }

    @discardableResult
    func commit(_ id: ElementID, _ mode: Editor.Commit.Mode = .ifUnchanged) throws
        -> MutationNumber?
    {
        try node.perform { core, now in try core.commit(id, mode, in: list, at: now) }
    }

    func cancel(_ id: ElementID) -> Bool {
        node.perform { core, now in core.cancel(id, in: list, at: now) }
    }

    func goOffline() { node.perform { core, now in core.goOffline(at: now) } }
    func goOnline() { node.perform { core, now in core.goOnline(at: now) } }
}

extension World {
    /// So many people, all started and caught up; the first has added `ids`.
    func people(_ names: String..., with ids: [ElementID] = []) throws -> [Person] {
        let people = names.map { Person(self, $0) }
        for person in people {
            person.node.start()
            try runUntilQuiet()
        }
        for id in ids { people[0].add(id, ["title": .text(id.text)]) }
        try runUntilQuiet()
        return people
    }
}

/// Names in tests are literals, and right.
extension ElementID: ExpressibleByStringLiteral {
    init(stringLiteral text: String) {
        guard let id = ElementID(text) else { preconditionFailure("\(text) is no ID") }
        self = id
    }
}

extension ListName: ExpressibleByStringLiteral {
    init(stringLiteral text: String) {
        guard let name = ListName(text) else { preconditionFailure("\(text) is no list name") }
        self = name
    }
}

extension FieldName: ExpressibleByStringLiteral {
    init(stringLiteral text: String) {
        guard let name = FieldName(text) else { preconditionFailure("\(text) is no field name") }
        self = name
    }
}

extension UserName: ExpressibleByStringLiteral {
    init(stringLiteral text: String) {
        guard let name = UserName(text) else { preconditionFailure("\(text) is no name") }
        self = name
    }
}

extension Value: ExpressibleByStringLiteral {
    init(stringLiteral text: String) { self = .text(text) }
}

extension Value: ExpressibleByIntegerLiteral {
    init(integerLiteral number: Int64) { self = .int(number) }
}
