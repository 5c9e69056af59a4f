import ListAuthority
import ListModel
import ListProtocol
import Testing

/// What most tests do with the list `l`.
extension Stage {
    static let list: ListName = ListName("l")!

    var list: ListName { Self.list }

    var state: ListState {
        get throws { try storage.load(list).get().state }
    }

    func open(
        _ peer: Peer, create: Bool = true, at position: Position? = nil, editing: [String] = [],
        heard: UInt64 = 0, presence: Bool = false, base: Bool = false
    ) throws {
        if position == nil { peer.replicas[list] = Peer.Copy() }
        if let position, peer.replicas[list]?.state.head != position.version {
            peer.replicas[list] = Peer.Copy()
        }
        let open = ClientMessage.Open(
            list: list, create: create, position: position,
            editing: try editing.map { try id($0) }, heard: MutationNumber(heard),
            presence: presence, base: base)
        say(.open(open), peer)
    }

    /// A client that has the list open.
    func join(_ client: String, presence: Bool = false) throws -> Peer {
        let peer = try connect(client)
        try open(peer, presence: presence)
        return peer
    }

    /// Another connection of the same client, with the replica as it was.
    func rejoin(_ old: Peer, heard: UInt64 = 0) throws -> Peer {
        let peer = try connect(old.client.text)
        peer.replicas = old.replicas
        for name in peer.replicas.keys {
            peer.replicas[name]?.isCaughtUp = false
            peer.replicas[name]?.versions = []
        }
        try open(peer, at: position(of: old), heard: heard)
        return peer
    }

    func position(of peer: Peer) -> Position? {
        guard let copy = peer.replicas[list], let epoch = copy.epoch, copy.isWhole else {
            return nil
        }
        return Position(epoch: epoch, version: copy.state.head)
    }

    func submit(
        _ n: UInt64, _ intents: [ListModel.Operation.Intent], _ peer: Peer, heard: UInt64 = 0,
        atomic: Bool = false, if condition: Condition? = nil, epoch: Epoch? = nil
    ) {
        let operations = intents.map { ListModel.Operation($0, if: condition) }
        let submission = ClientMessage.Submission(
            list: list, n: MutationNumber(n), heard: MutationNumber(heard), operations: operations,
            atomic: atomic, epoch: epoch)
        say(.submit(submission), peer)
    }

    func insert(_ n: UInt64, _ element: String, _ peer: Peer, heard: UInt64 = 0) throws {
        submit(n, [try .insert(element)], peer, heard: heard)
    }

    /// An entry that another node wrote.
    func foreign(_ operations: [ResolvedOperation], client: String = "other", n: UInt64 = 1)
        throws -> Entry
    {
        Entry(
            version: .zero, at: now, by: try id("other"), client: try id(client),
            n: MutationNumber(n), operations: operations)
    }

    func expectSame(_ peers: [Peer]) throws {
        let expected = try state
        for peer in peers {
            let copy = try #require(peer.replicas[list])
            #expect(copy.state.head == expected.head)
            let (theirs, ours) = (copy.state.elements, expected.elements)
            #expect(theirs.map(\.id) == ours.map(\.id))
            #expect(theirs.map(\.fields) == ours.map(\.fields))
            #expect(theirs.map(\.version) == ours.map(\.version))
            #expect(copy.isCaughtUp)
            #expect(copy.versions == copy.versions.sorted())
        }
    }
}

extension ListModel.Operation.Intent {
    static func insert(
        _ element: String, at place: Place = .last, _ fields: Fields = ["title": .text("x")]
    ) throws -> Self {
        .insert(try id(element), at: place, fields)
    }

    static func set(_ element: String, _ title: String) throws -> Self {
        .set(try id(element), ["title": .text(title)])
    }

    static func delete(_ element: String, unlessEdited: Bool = false) throws -> Self {
        .delete(try id(element), unlessEdited: unlessEdited)
    }
}
