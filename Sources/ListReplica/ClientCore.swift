package import ListModel
package import ListProtocol

/// The client without its socket, its disk and its clock: one connection, any number of open lists.
///
/// Order of calls: verbs and `handle` any number of times, then `takeWrites`, `takeLinkWork` and
/// `takeNews`. Writes come with a ticket: once they are durable, `handle(.saved(ticket))`; only
/// then does the work that they hold go to the server. Used from one thread at a time.
package final class ClientCore {
    package let client: ClientID
    /// The name under which the server logs this client's work: that of its token, once known.
    package internal(set) var user: UserName
    /// Those of the server, as far as it tells them.
    var limits: Limits

    package internal(set) var link: Link
    package internal(set) var replicas: [ListName: Replica] = [:] {
        didSet { inOrder = replicas.values.sorted { $0.name < $1.name } }
    }
    /// The same, by their names.
    private(set) var inOrder: [Replica] = []
    /// Those that were closed: the number of the next mutation and what waits must not be
    /// forgotten.
    var closed: [ListName: Replica] = [:]
    /// Messages in a row that could not be understood, with no list in step between.
    var garbles = 0
    package internal(set) var welcome: ServerMessage.Welcome?
    /// When to show another token, while online; see `Renewal`.
    var renewal: Renewal?
    var session: UInt64? { welcome?.session }

    var work: [LinkWork] = []
    var news: [News] = []
    var companionEvents: [CompanionEvent] = []
    var writes: [StateWrite] = []
    /// The ticket of the writes being gathered, and the last one that is durable.
    package internal(set) var ticket: UInt64 = 1
    package internal(set) var saved: UInt64 = 0
    var saving = Saving.resting
    /// Why the last attempt to save failed; the user knows. `nil`: it did not.
    package internal(set) var saveFailure: String?

    var lastRequest: RequestID = 0
    /// Questions on their way; they fail with the connection.
    var asked: Set<RequestID> = []
    var syncs: [Sync] = []

    /// Somebody waits for everything to be sent, decided and applied.
    struct Sync {
        let request: RequestID
        let list: ListName
        /// The ping that asks for the head; `nil`: not sent on this connection yet.
        var ping: RequestID?
        var isAnswered = false
    }

    /// What the shell of the client is to do with its socket, in order.
    package enum LinkWork: Sendable {
        case connect
        case send(ClientMessage)
        /// Show the server another token, as a `renew` under this number, if there is one.
        case renew(RequestID)
        case disconnect
    }

    package enum Event: Sendable {
        case connected
        case received(ServerMessage)
        /// Something came that could not be understood.
        case garbled(String)
        /// `nil` as code: the connection broke, or was never made.
        case disconnected(code: UInt16?, sentence: String)
        case saved(UInt64)
        /// What was taken last is not, for this reason; it comes again.
        case notSaved(String)
        case tick
    }

    package init(
        client: ClientID, user: UserName, limits: Limits = Limits(),
        jitter: @escaping @Sendable () -> Int64
    ) {
        self.client = client
        self.user = user
        self.limits = limits
        link = Link(jitter: jitter)
    }

    package func handle(_ event: Event, at now: Timestamp) {
        switch event {
        case .connected:
            link.connected(now)
            work.append(.send(.hello(ClientMessage.Hello(client: client, name: user))))
        case .received(let message): received(message, now)
        case .garbled(let sentence): garbled(sentence, now)
        case .disconnected(let code, let sentence): disconnected(code, sentence, now)
        case .saved(let ticket): saved(ticket)
        case .notSaved(let sentence): notSaved(sentence, now)
        case .tick: break
        }
        advance(now)
    }

    /// What became due by time or by what was done; ends every call from outside.
    func advance(_ now: Timestamp) {
        if link.isOverdue(now) {
            work.append(.disconnect)
            cut(now, retry: nil, "the server did not answer in time")
        }
        resumeSaving(now)
        retryLists(now)
        if link.shouldConnect(now) { work.append(.connect) }
        gather()
        if link.isOnline {
            sendPings()
            renewIfDue(now)
        }
        finishSyncs()
    }

    /// Collects what the replicas left behind.
    private func gather() {
        for replica in inOrder {
            if writes.isEmpty { writes = replica.writes } else { writes += replica.writes }
            replica.writes = []
            if link.isOnline {
                replica.sendWaiting()
                for message in replica.outbox { work.append(.send(message)) }
                if case .leaving(nil) = replica.sync {
                    lastRequest += 1
                    replica.sync = .leaving(fence: lastRequest)
                    work.append(.send(.ping(lastRequest, nil)))
                }
            }
            if !replica.outbox.isEmpty { replica.outbox = [] }
            if news.isEmpty { news = replica.news } else { news += replica.news }
            replica.news = []
            guard !replica.companionEvents.isEmpty else { continue }
            companionEvents.append(contentsOf: replica.companionEvents)
            replica.companionEvents = []
        }
    }

    package func takeLinkWork() -> [LinkWork] {
        defer { work = [] }
        return work
    }

    package func takeNews() -> [News] {
        defer { news = [] }
        return news
    }
}
