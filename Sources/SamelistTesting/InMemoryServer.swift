internal import ListModel
public import Samelist
internal import Storage

/// A server in your own process, for tests and previews: no socket, no thread, no file, and a clock
/// that stands still unless you move it.
///
/// It decides with the same code as `samelistd`, and its clients are real ones: all that differs is
/// how messages travel between them. Whatever is awaited comes by itself; `settle()` makes
/// everything that can arrive arrive at once, so that a test can look at what came of it:
///
/// ```swift
/// let server = InMemoryServer()
/// let ana = try await server.client("ana").open("todos", as: Todo.self, ifMissing: .create)
/// let phone = server.client("ana")
/// server.partition(phone)
/// try ana.append(Todo(title: "Order cable"))
/// server.heal(phone)
/// server.settle()
/// ```
@MainActor
public final class InMemoryServer {
    let agenda = Agenda()
    let process: ServerProcess
    /// Everything happens before the call that caused it returns.
    private let isImmediate: Bool
    private var isTaskDue = false

    /// A server that runs, with no lists.
    public convenience init() { self.init(isImmediate: false) }

    init(isImmediate: Bool) {
        self.isImmediate = isImmediate
        process = ServerProcess(agenda)
        if !isImmediate { agenda.onPlan = { [weak self] in self?.settleSoon() } }
    }

    /// A new client of this server, which connects at once. Several may have one name: they are one
    /// user's.
    ///
    /// - Precondition: `name` has 1 to 64 bytes and no control characters.
    public func client(_ name: String) -> ListClient { client(name, InMemoryStateStorage()) }

    /// Ends a client as if its program had been killed, and starts it again with what it had kept:
    /// its lists, its unsent work, its drafts.
    public func relaunch(_ client: ListClient) -> ListClient {
        let ended = surroundings(of: client)
        ended.stop(saving: [])
        return self.client(client.core.user.text, ended.store)
    }

    private func client(_ name: String, _ store: InMemoryStateStorage) -> ListClient {
        guard let user = UserName(name), let address = ServerAddress("in-memory"),
            let identity = try? ClientIdentity.inMemory(store)
        else { preconditionFailure("\"\(name)\" is no name for a client") }
        let surroundings = InMemorySurroundings(self, store)
        let client = ListClient(
            server: address, name: user, identity: identity, in: surroundings)
        client.goOnline()
        return client
    }

    /// Cuts a client off: what is on its way is lost, and until `heal` nothing gets through. Its
    /// work goes on and waits.
    public func partition(_ client: ListClient) { surroundings(of: client).isPartitioned = true }

    /// Lets a client reach the server again. It comes back once its pause is over; `settle` waits
    /// for that.
    public func heal(_ client: ListClient) {
        surroundings(of: client).isPartitioned = false
        settleSoon()
    }

    /// Whether there is a server to be reached.
    public var isRunning: Bool { process.isRunning }

    /// Ends the server as a crash would: what was logged is kept, what is on its way is lost.
    public func kill() { process.kill() }

    /// Ends the server with a goodbye to every client, once what is under way is done.
    public func drain() { process.drain() }

    /// Starts the server again, with everything that was logged. Where it runs, nothing happens.
    public func start() {
        process.start()
        settleSoon()
    }

    /// Lets everything happen that can: what is on its way arrives and is decided, and who can
    /// reach the server is connected to it. Returns when nothing more would come of waiting.
    public func settle() { agenda.settle() }

    /// Moves the clock, with all that happens meanwhile: attempts to reconnect, time-outs, pauses.
    public func advance(by time: Duration) {
        let (seconds, attoseconds) = time.components
        let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
        agenda.settle()
        agenda.advance(to: agenda.now.adding(milliseconds: max(0, milliseconds)))
        agenda.settle()
    }

    func clientRests() {
        if isImmediate { agenda.settle() }
    }

    /// So that whoever waits for something gets it without a call of `settle`.
    private func settleSoon() {
        guard !isImmediate, !isTaskDue else { return }
        isTaskDue = true
        Task { @MainActor [weak self] in
            guard let self else { return }
            isTaskDue = false
            agenda.settle()
        }
    }

    private func surroundings(of client: ListClient) -> InMemorySurroundings {
        guard let surroundings = client.surroundings as? InMemorySurroundings,
            surroundings.isOf(self)
        else { preconditionFailure("the client is not connected to this server") }
        return surroundings
    }
}
