package import ListModel
package import ListProtocol
package import ListReplica

/// What a client has around it: a way to its server, a place for what it must not forget, and a
/// clock.
///
/// `ListClient` carries out through it what its `ClientCore` leaves to be done; what comes of it
/// arrives by `receive`. There are two: `SocketSurroundings`, with threads of their own, and those
/// of `InMemoryServer`, where nothing leaves the main actor and no time passes.
@MainActor
package protocol Surroundings: AnyObject {
    /// Takes what arrives, in order, many at a time, and never within a call that the client made.
    /// Set once, before anything else is called.
    var receive: ([Arrival]) -> Void { get set }
    var now: Timestamp { get }
    /// A number in 0 ..< 1 000 that spreads the pause of a reconnection.
    var jitter: @Sendable () -> Int64 { get }

    /// Begins a new connection; of the one before nothing arrives any more.
    func connect()
    /// On a connection that ends meanwhile, or where there is none, nothing happens.
    func send(_ messages: [ClientMessage])
    /// Ends the connection, behind what was sent; nothing arrives from it any more.
    func disconnect()
    /// Makes something durable, behind what came before it, and answers `saved`.
    func save(_ writes: [StateWrite], ticket: UInt64)
    /// Answers `alarm` once it is so late, for each call once. Where no time passes by itself, it
    /// passes for those alarms alone that are still wanted.
    func wake(at time: Timestamp, for reason: Alarm, while isWanted: @escaping () -> Bool)
    /// The client has done all that it can for now: where what follows from that takes no time, it
    /// may happen now.
    func rest()
    /// Ends the connection, and returns when everything is durable, these writes last. Repeating it
    /// does nothing.
    func stop(saving writes: [StateWrite])
}

/// What comes to a client from outside.
package enum Arrival: Sendable {
    case connected
    case message(ServerMessage)
    /// Something that could not be understood, and why.
    case garbled(String)
    /// `nil` as code: the connection broke, or was never made.
    case disconnected(code: UInt16?, ListError)
    case saved(UInt64)
    /// It is not durable; why.
    case notSaved(String)
    case alarm(Alarm)
}

/// What a client wants to be woken for.
package enum Alarm: Sendable {
    /// The core: to connect again, or to give an attempt up.
    case core
    /// Somebody waits, and no longer than this.
    case patience
}
