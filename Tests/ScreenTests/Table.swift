public import ListModel
import ListProtocol
import ListReplica
import PairHarness

@testable import Terminal

/// One server, ana at a screen, bo without one; all real but for socket, disk and clock.
final class Table {
    let world: World
    let ana: Seat
    let bo: Seat
    static let list = ListName("incident-42")!
    static let usual = ["k7=Page on-call", "m2=Fail over db-1", "p9=Order cable"]

    /// - Parameter rows: `ID=TITLE`, made by bo.
    init(_ rows: [String] = usual, seed: UInt64 = 1, title: String? = nil) throws {
        world = World(seed: seed)
        bo = Seat(world, "bo")
        ana = Seat(world, "ana")
        bo.start(creating: true)
        try settle()
        for row in rows {
            let parts = row.split(separator: "=", maxSplits: 1).map(String.init)
            bo.add(parts[0], ["title": .text(parts[1])])
        }
        if let title { bo.submit(Operation(.describe(title: title, schema: nil))) }
        try settle()
        ana.start()
        try settle()
    }

    func settle() throws { try world.runUntilQuiet() }

    /// Ana presses keys, and everything that follows happens.
    func press(_ keys: Key...) throws {
        for key in keys {
            ana.press(key)
            try settle()
        }
    }

    func type(_ text: String) throws {
        ana.type(text)
        try settle()
    }

    /// The server is away.
    func loseServer() throws {
        world.server.kill()
        try world.run(for: 200)
    }

    /// A copy of ana's client connects.
    func throwOut() throws {
        ana.node.perform { core, now in
            core.handle(
                .disconnected(
                    code: CloseCode.replaced.rawValue, sentence: CloseCode.replacedSentence),
                at: now)
        }
        try pause(100)
    }

    func pause(_ milliseconds: Int64 = 1_000) throws { try world.run(for: milliseconds) }
}

/// A person: a client's process, with a screen.
final class Seat {
    let node: ClientNode
    private let world: World
    private(set) var session: ScreenSession?
    private(set) var wishes: [Wish] = []
    private var made = 0

    init(_ world: World, _ name: String, as user: String? = nil) {
        self.world = world
        node = world.addClient(name, as: user)
        node.onNews = { [unowned self] news in
            session?.absorb(news, at: world.now)
            take()
        }
        node.faceTick = { [unowned self] in session?.nextTick(after: world.now) }
    }

    func start(creating: Bool = false) {
        node.onStart = { [unowned self] core in
            session = ScreenSession(
                core: core, list: Table.list,
                freshID: { [unowned self] in
                    made += 1
                    return ElementID("new\(made)")!
                }, clock: { String(Clock.text($0).dropFirst(11).prefix(8)) })
            try? core.open(
                Table.list, create: creating, stored: node.kept(of: Table.list), at: world.now)
            core.goOnline(at: world.now)
        }
        node.start()
        node.perform { _, now in session?.open(at: now) }
    }

    func kill() {
        node.kill()
        session = nil
    }

    func press(_ key: Key) {
        node.perform { _, now in session?.handle(key, at: now) }
        take()
    }

    func type(_ text: String) { for character in text { press(.text(String(character))) } }

    /// The user's own editor has ended, on the row that is selected.
    func endOutside(_ outcome: OutsideEditor.Outcome, file: String) {
        node.perform { _, now in
            guard let session, let id = session.cursor else { return }
            session.endOutside(id, outcome, file: file, at: now)
        }
        take()
    }

    private func take() { wishes += session?.takeWishes() ?? [] }

    func takeWishes() -> [Wish] {
        defer { wishes = [] }
        return wishes
    }

    func frame(_ columns: Int, _ lines: Int) -> Frame {
        guard let session else { return Frame(lines: [], cursor: .init(line: 0, column: 0)) }
        return session.frame(ScreenSize(columns: columns, lines: lines), at: world.now)
    }

    func submit(_ operations: Operation...) {
        _ = node.perform { core, now in core.submit(operations, to: Table.list, at: now) }
    }

    func add(_ id: String, _ fields: Fields, at place: Place = .last) {
        submit(Operation(.insert(ElementID(id)!, at: place, fields)))
    }

    func set(_ id: String, _ fields: Fields) { submit(Operation(.set(ElementID(id)!, fields))) }

    func delete(_ ids: String...) {
        for id in ids { submit(Operation(.delete(ElementID(id)!, unlessEdited: false))) }
    }

    func restore(_ id: String) { submit(Operation(.restore(ElementID(id)!))) }

    func move(_ id: String, _ place: Place) {
        submit(Operation(.move([ElementID(id)!], to: place)))
    }

    func edit(_ id: String) {
        _ = node.perform { core, now in
            try? core.edit(ElementID(id)!, .draft, in: Table.list, at: now)
        }
    }

    func dropList() {
        _ = node.perform { core, now in core.ask({ .remove($0, Table.list) }, at: now) }
    }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral
{
    public init(stringLiteral text: String) { self = .text(text) }
    public init(integerLiteral number: Int64) { self = .int(number) }
    public init(booleanLiteral flag: Bool) { self = .bool(flag) }
}
