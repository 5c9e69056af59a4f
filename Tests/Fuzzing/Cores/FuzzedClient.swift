package import ListModel
internal import ListProtocol
package import ListReplica

/// A client's core with the list `food` open and a state in memory, to be told whatever a server or
/// a disk may say.
package struct FuzzedClient {
    package let core: ClientCore
    package var now = Timestamp(milliseconds: 1_767_225_600_000)
    /// What it keeps, whole keys.
    private var state: [String: [UInt8]]
    private let list: ListName
    private let milk: ElementID
    private var turn = 0

    /// - Parameter state: by the rest of the key behind the list's name. `nil`: it cannot be read.
    package init?(state kept: [String: [UInt8]] = [:]) {
        guard let client = ClientID("f3a9c2e1"), let user = UserName("ana"),
            let list = ListName("food"), let milk = ElementID("milk")
        else { return nil }
        self.list = list
        self.milk = milk
        state = Dictionary(kept.map { ("list/\(list)/" + $0.key, $0.value) }) { $1 }
        core = ClientCore(client: client, user: user) { 500 }
        do throws(Refusal) {
            try core.open(list, create: true, stored: state, at: now)
        } catch {
            precondition(error.code == .listUnreadable, "refused otherwise: \(error)")
            return nil
        }
        keep()
    }

    /// The connection is made, as far as this side knows.
    package mutating func connect() {
        core.goOnline(at: now)
        tell(.connected)
    }

    package mutating func tell(_ event: ClientCore.Event) {
        core.handle(event, at: now)
        keep()
    }

    private mutating func keep() {
        while let (ticket, writes) = core.takeWrites() {
            for write in writes { put(write) }
            core.handle(.saved(ticket), at: now)
        }
        _ = core.takeLinkWork()
        _ = core.takeNews()
    }

    private mutating func put(_ write: StateWrite) {
        switch write {
        case .put(let key, let bytes): state[key] = bytes
        case .remove(let key): state[key] = nil
        case .removePrefix(let prefix): state = state.filter { !$0.key.hasPrefix(prefix) }
        }
    }

    /// What a user does next: something else each time.
    package mutating func work() {
        turn += 1
        switch turn % 8 {
        case 1: _ = try? core.edit(milk, .draft, in: list, at: now)
        case 2: _ = try? core.type(Fields([.title: .text("Oat")]), into: milk, in: list, at: now)
        case 3: submit(.insert(milk, at: .first, Fields()))
        case 4: _ = try? core.commit(milk, .merge, in: list, at: now)
        case 5: submit(.count(milk, .title, by: .int(2)))
        case 6: _ = core.undo(in: list, at: now)
        case 7: submit(.delete(milk, unlessEdited: false))
        default: _ = core.sync(list, at: now)
        }
        keep()
    }

    private func submit(_ intent: Operation.Intent) {
        _ = core.submit([Operation(intent)], to: list, at: now)
    }

    /// What was kept is read again as the same list.
    package func expectReadable() {
        guard let replica = core.replicas[list] else { return }
        let other = ClientCore(client: core.client, user: core.user) { 500 }
        do throws(Refusal) {
            try other.open(list, stored: state, at: now)
        } catch {
            preconditionFailure("not read again: \(error)")
        }
        precondition(other.replicas[list]?.list.elements == replica.list.elements, "another list")
    }
}
