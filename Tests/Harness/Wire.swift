internal import ListAuthority
internal import ListModel

/// One connection between a client and the server: bytes go both ways, in order, each after a
/// while. It ends in one of two ways: closed, where what was sent before still arrives, or cut,
/// where it does not and each side learns of it in its own time.
final class Wire {
    let id: ConnectionID
    private let world: World
    private var isCut = false
    private var lastUp = Timestamp.zero
    private var lastDown = Timestamp.zero

    init(_ world: World) {
        world.connections += 1
        id = ConnectionID(world.connections)
        self.world = world
    }

    /// Plans something at the server, behind everything sent there before.
    func up(_ action: @escaping () -> Void) {
        lastUp = max(lastUp, world.now.adding(milliseconds: world.latency()))
        world.plan(at: lastUp) { if !self.isCut { action() } }
    }

    /// The same at the client.
    func down(_ action: @escaping () -> Void) {
        lastDown = max(lastDown, world.now.adding(milliseconds: world.latency()))
        world.plan(at: lastDown) { if !self.isCut { action() } }
    }

    /// Whatever is on its way is lost.
    func cut() { isCut = true }
}
