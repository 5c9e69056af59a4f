internal import ListAuthority
internal import ListModel

/// One connection between a client and the server: bytes go both ways, in order, each after a
/// while. It ends in one of two ways: closed, where what was sent before still arrives, or cut,
/// where it does not and each side learns of it in its own time.
final class Wire {
    let id: ConnectionID
    private unowned let world: World
    private unowned let client: ClientNode
    private var isUpCut = false
    private var isDownCut = false
    private var lastUp = Timestamp.zero
    private var lastDown = Timestamp.zero

    init(_ world: World, of client: ClientNode) {
        world.connections += 1
        id = ConnectionID(world.connections)
        self.world = world
        self.client = client
    }

    /// Plans something at the server, behind everything sent there before.
    func up(_ action: @escaping () -> Void) {
        lastUp = max(lastUp, world.now.adding(milliseconds: world.latency()), client.stalledUntil)
        world.plan(at: lastUp) { if !self.isUpCut { action() } }
    }

    /// The same at the client.
    func down(_ action: @escaping () -> Void) {
        lastDown = max(
            lastDown, world.now.adding(milliseconds: world.latency()), client.stalledUntil)
        world.plan(at: lastDown) { if !self.isDownCut { action() } }
    }

    /// Whatever is on its way is lost; or only what is on its way down: the rest arrives late.
    func cut(losingSent: Bool = true) {
        isUpCut = isUpCut || losingSent
        isDownCut = true
    }
}
