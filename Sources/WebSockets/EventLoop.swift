internal import CLibuv
internal import CLibwebsockets
import Glibc
internal import Threads

/// One thread that runs one libuv loop and one libwebsockets context: everything that touches a
/// socket happens here, and nowhere else.
///
/// The only way in from other threads is `post`: it puts work into a mailbox and wakes the loop,
/// which drains the mailbox whole. What is confined to the loop checks so with
/// `preconditionOnLoop`. `stop` is to be called once, from outside; it closes every socket, tells
/// their owners, and joins the thread.
///
///     init ──▶ running ──stop──▶ mailbox closed, rest of it done ▶ sockets closed ▶ joined
package final class EventLoop: @unchecked Sendable {
    // because the mailbox is locked, and the rest is written before `init` returns, or touched
    // on the loop's thread alone, which is checked at run time.

    package struct Options: Sendable {
        /// The thread's name, as debuggers and `top -H` show it; 15 bytes are kept.
        package var name = "samelist"
        /// The descriptor limit is raised to the hard limit, but not beyond this: libwebsockets
        /// keeps tables of this length, and some containers set the limit to a milliard.
        package var descriptors: UInt = 131_072
        /// Whether it may be lowered to this as well, as a program may that knows what it needs:
        /// libwebsockets looks through such a table whenever a connection ends.
        package var lowersDescriptors = false

        package init() {}
    }

    let options: Options
    let mailbox = Mailbox()
    /// Frames are built here, one write at a time, so that a delivery allocates nothing.
    let scratch = FrameScratch()

    /// Taken by the loop's thread when it starts, and given back when it ends.
    private(set) var engine: Engine!
    var server: WebSocketServer?
    var clients: [UInt: WebSocketClient] = [:]
    var timers: [ObjectIdentifier: LoopTimer] = [:]
    private var lastNumber: UInt = 0
    var isStopping = false

    /// Set by the loop's thread before `init` returns.
    private var current = pthread_t()
    private var thread: Thread?

    /// Starts the thread, and returns when the loop runs.
    ///
    /// - Throws: `.eventLibraryMissing` where Debian's `libwebsockets-evlib-uv` is not installed.
    package convenience init(options: Options = Options()) throws(WebSocketError) {
        try self.init(options: options, plugin: .uv)
    }

    init(options: Options, plugin: EventPlugin) throws(WebSocketError) {
        self.options = options
        setDescriptorLimit(to: options.descriptors, mayLower: options.lowersDescriptors)

        let started = Handover<WebSocketError?>()
        thread = Thread.start { [self] in run(plugin, started) }
        guard thread != nil else {
            throw .cannotStart("The event loop's thread could not be started.")
        }
        if let error = started.wait() {
            thread?.join()
            throw error
        }
    }

    /// Runs `work` on the loop, after everything posted before it. Any thread may call this.
    ///
    /// - Returns: false when the loop was stopped: then `work` will never run. Otherwise it runs
    ///   exactly once.
    @discardableResult
    package func post(_ work: @escaping @Sendable () -> Void) -> Bool {
        mailbox.post(work)
    }

    /// Runs `work` on the loop and waits for what it answers; at once when already there.
    package func perform<Answer: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        if isOnLoop { return try work() }
        let handover = Handover<Result<Answer, Failure>>()
        let accepted = post {
            do throws(Failure) {
                handover.fulfil(.success(try work()))
            } catch {
                handover.fulfil(.failure(error))
            }
        }
        precondition(accepted, "work for an event loop that was stopped")
        return try handover.wait().get()
    }

    package var isOnLoop: Bool { pthread_equal(pthread_self(), current) != 0 }

    package func preconditionOnLoop() {
        precondition(isOnLoop, "called off the event loop's thread")
    }

    /// Milliseconds on a clock that never goes back. Any thread may read it.
    package var now: UInt64 { uv_hrtime() / 1_000_000 }

    /// Closes everything and waits until the thread has ended. Calling it again does nothing.
    package func stop() {
        precondition(!isOnLoop, "an event loop cannot wait for itself")
        guard post({ [self] in isStopping = true }), mailbox.claimStop() else { return }
        thread?.join()
    }

    private func run(_ plugin: EventPlugin, _ started: Handover<WebSocketError?>) {
        current = pthread_self()
        pthread_setname_np(current, String(options.name.prefix(15)))
        do throws(WebSocketError) {
            engine = try Engine.take(plugin)
        } catch {
            return started.fulfil(error)
        }
        engine.loop = self
        mailbox.open(engine.uv)
        started.fulfil(nil)
        while !isStopping {
            uv_run(engine.uv, UV_RUN_ONCE)
        }
        shutDown()
    }

    /// A number that this loop has not given away before.
    func takeNumber() -> UInt {
        lastNumber += 1
        return lastNumber
    }
}
