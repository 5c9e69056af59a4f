import ListModel
import ListProtocol
import PairHarness
import Testing

@testable import ListReplica

@Suite("A view shows what filtering and sorting would") struct ViewTests {
    /// The same, the slow way.
    private func naive(_ list: ListState, _ view: View, _ pinned: Set<ElementID>) -> [ElementID] {
        let fitting = list.elements.filter {
            view.filter.admits($0) || (view.pins && pinned.contains($0.id))
        }
        guard let sort = view.sort else { return fitting.map(\.id) }
        return fitting.enumerated().sorted { left, right in
            let order = sort.compare(left.element, right.element)
            return order == 0 ? left.offset < right.offset : order < 0
        }.map(\.element.id)
    }

    private func applied(_ changes: [View.RowChange], to rows: [ElementID]) -> [ElementID] {
        var rows = rows
        for change in changes {
            switch change {
            case .insert(let id, let at): rows.insert(id, at: at)
            case .remove(let id, let at): #expect(rows.remove(at: at) == id)
            case .move(let id, let from, let to):
                #expect(rows.remove(at: from) == id)
                rows.insert(id, at: to)
            case .update(let id, let at): #expect(rows[at] == id)
            }
        }
        return rows
    }

    private static let shapes: [(Filter, Sort?, Bool)] = [
        (Filter(), nil, false),
        (Filter(text: "a"), nil, false),
        (Filter(fields: ["n": 1]), nil, true),
        (Filter(), Sort("n"), false),
        (Filter(text: "b"), Sort("n", descending: true), true),
    ]

    @Test func `what is played again shows, though what came did not fit`() throws {
        let ana = try World().people("ana", with: ["x", "y"])[0]
        let replica = try #require(ana.replica)
        replica.show(View(Filter(), sort: Sort("n"), of: replica.list))
        ana.submit(Operation(.delete("x", unlessEdited: true)))
        #expect(replica.view?.rows.map(\.id) == ["y"])
        // Bob has begun to edit it, and then the log makes no sense.
        let bob = Presence(session: 99, name: "bob", editing: ["x"])
        replica.received(PresenceChange(isWhole: false, here: [bob], left: []))
        let head = replica.speculation.confirmedHead
        replica.received([
            Entry(
                version: head.next, at: .zero, by: "bob", client: try #require(ClientID("bob")),
                n: MutationNumber(1), operations: [.delete("nowhere")])
        ])
        #expect(!replica.isLive && replica.list.elements.map(\.id) == ["x", "y"])
        #expect(replica.view?.rows == replica.list.elements)
    }

    @Test func `it lets go of a row whose editor closes as its text is saved elsewhere`() throws {
        let people = try World().people("bob", "ana", with: ["x", "y"])
        let (bob, ana) = (people[0], people[1])
        let replica = try #require(ana.replica)
        replica.show(View(Filter(text: "x"), pins: true, of: replica.list))
        try ana.edit("x")
        try ana.type(["note": "mine"], into: "x")
        bob.delete("x")
        try ana.world.runUntilQuiet()
        ana.goOffline()
        _ = try ana.node.perform { core, now in
            try core.saveAsNew("x", as: "z", at: .last, in: "list", at: now)
        }
        bob.restore("x")
        try ana.world.runUntilQuiet()
        bob.set("x", ["title": "other"])
        try ana.world.runUntilQuiet()
        ana.goOnline()
        try ana.world.runUntilQuiet()
        #expect(ana.editor("x") == nil && ana.ids.contains("x"))
        #expect(replica.view?.rows.map(\.id) == ["z"])
    }

    @Test(arguments: 0..<10) func `after any changes, many at a time`(_ seed: Int) throws {
        var random = Randomness(seed: UInt64(seed + 1))
        let (filter, sort, pins) = Self.shapes[seed % Self.shapes.count]
        var list = ListState()
        var view = View(filter, sort: sort, pins: pins, of: list)
        var rows: [ElementID] = []
        var version: UInt64 = 0
        for _ in 0..<150 {
            var touched: Set<ElementID> = []
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                version += 1
                touched.formUnion(change(&list, version, &random))
            }
            let pinned = Set(list.elements.map(\.id).filter { $0.text.hasSuffix("3") })
            let changes = view.update(touched, from: list, pinned: pinned)
            rows = applied(changes, to: rows)
            #expect(view.rows.map(\.id) == naive(list, view, pinned))
            #expect(rows == view.rows.map(\.id))
            #expect(view.rows == view.rows.map { list[$0.id] })
            for (index, id) in rows.enumerated() { #expect(view.index(of: id) == index) }
        }
    }

    private func change(
        _ list: inout ListState, _ version: UInt64, _ random: inout Randomness
    ) -> [ElementID] {
        let id = ElementID("e\(Int.random(in: 0..<20, using: &random))") ?? "e"
        let other = ElementID("e\(Int.random(in: 0..<20, using: &random))") ?? "e"
        let fields: Fields = [
            "title": .text(random.pick(["a", "b", "ab", "c"])),
            "n": .int(Int64.random(in: 0..<3, using: &random)),
        ]
        let operation: ListModel.Operation
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1: operation = Operation(.insert(id, at: .after(other), fields))
        case 2: operation = Operation(.set(id, fields))
        case 3: operation = Operation(.move([id], to: random.pick([.first, .before(other)])))
        case 4: operation = Operation(.delete(id, unlessEdited: false))
        default: operation = Operation(.restore(id))
        }
        let first = Operation(.insert(id, at: .last, fields))
        for operation in list.count == 0 ? [first] : [operation] {
            let mutation = Mutation(
                client: ClientID("c")!, n: MutationNumber(version), operations: [operation])
            _ = list.perform(
                mutation, ResolutionContext(at: .zero, by: "ana", limits: Limits()))
        }
        return [id]
    }

    @Test func `VA12 OR6 two views of one list are each right`() throws {
        let world = World()
        let people = try world.people("bob", "ana", "eve", with: ["a", "b", "c"])
        let (bob, ana, eve) = (people[0], people[1], people[2])
        let (mine, hers) = (try #require(ana.replica), try #require(eve.replica))
        mine.show(View(Filter(text: "b"), of: mine.list))
        hers.show(View(Filter(), sort: Sort("title", descending: true), of: hers.list))
        bob.submit(Operation(.move(["b"], to: .first)))
        bob.delete("c")
        try world.runUntilQuiet()
        #expect(mine.view?.rows.map(\.id) == ["b"])
        #expect(hers.view?.rows.map(\.id) == ["b", "a"])
        bob.delete("b")
        try world.runUntilQuiet()
        #expect(mine.view?.rows.isEmpty == true)
    }

    @Test func `a row is pinned for as long as its editor can write`() throws {
        let people = try World().people("bob", "ana", with: ["a", "b"])
        let (bob, ana) = (people[0], people[1])
        let replica = try #require(ana.replica)
        replica.show(View(Filter(text: "b"), pins: true, of: replica.list))
        try ana.edit("b")
        bob.set("b", ["title": "other"])
        try ana.world.runUntilQuiet()
        #expect(replica.view?.rows.map(\.id) == ["b"])
        bob.delete("b")
        try ana.world.runUntilQuiet()
        #expect(replica.view?.rows.isEmpty == true)
        bob.restore("b")
        try ana.world.runUntilQuiet()
        #expect(replica.view?.rows.map(\.id) == ["b"])
        #expect(ana.cancel("b") && replica.view?.rows.isEmpty == true)
    }

    @Test func `upkeep hardly grows with the list`() {
        func time(_ count: Int) -> Duration {
            var list = ListState(head: .zero, title: "", schema: nil)
            for n in 0..<count {
                let element = Element(
                    id: ElementID("e\(n)") ?? "e", fields: ["n": .int(Int64(n))], version: .zero,
                    placed: .zero, by: "ana", at: .zero)
                _ = list.append(element)
            }
            var view = View(Filter(), sort: Sort("n"), of: list)
            return ContinuousClock().measure {
                for _ in 0..<300 { _ = view.update(["e7"], from: list, pinned: []) }
            }
        }
        // A pass over the list would take 250 times as long; halving takes about four times.
        let (small, large) = (time(200), time(50_000))
        #expect(large < small * 60, "\(small), then \(large)")
    }

    @Test func `a change among 100,000 elements asks the filter once and compares log n times`()
        throws
    {
        let count = 100_000
        var list = ListState()
        for number in 0..<count {
            let id = try #require(ElementID("e\(number)"))
            _ = list.append(
                Element(
                    id: id, fields: ["n": .int(Int64(number &* 7_919 % 100_003))], version: .zero,
                    placed: .zero, by: "ana", at: .zero))
        }
        let client = try #require(ClientID("c"))
        var asked = 0
        var compared = 0
        let sort = Sort("n")
        var view = View(
            where: { _ in
                asked += 1
                return true
            },
            sortedBy: {
                compared += 1
                return sort.compare($0, $1)
            }, of: list)
        #expect(view.count == count && asked == count)
        for step in 0..<200 {
            (asked, compared) = (0, 0)
            let id = try #require(list.element(at: step * 400)?.id)
            let intent: Operation.Intent =
                switch step % 3 {
                case 0: .set(id, ["n": .int(Int64(step))])
                case 1: .delete(id, unlessEdited: false)
                default: .move([id], to: .first)
                }
            let mutation = Mutation(
                client: client, n: MutationNumber(UInt64(step + 1)), operations: [Operation(intent)]
            )
            _ = list.perform(mutation, ResolutionContext(at: .zero, by: "ana", limits: Limits()))
            _ = view.update([id], from: list, pinned: [])
            #expect(asked <= 1 && compared <= 17, "step \(step)")
        }
        #expect(view.count == list.count)
    }
}
