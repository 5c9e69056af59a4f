internal import ListModel
internal import ListProtocol
internal import WebSockets

/// All clients of a run, on one event loop: they come, write when a schedule says so, and what each
/// receives is compared and timed here.
///
/// Everything but `init` happens on the loop's thread; `Run` asks it by `loop.perform`. Order:
/// `gather`, then `begin`, `tick` as often as the pacer calls, `sample` now and then, `finish`.
final class Crowd: @unchecked Sendable {
    // because all that changes is touched on the loop's thread alone.

    let settings: Settings
    let endpoint: WebSocketClient.Endpoint
    let loop: EventLoop
    let decoder = MessageDecoder(limits: Limits())
    let name: UserName
    /// Makes names that no other run has.
    let word: String

    var lanes: [Lane] = []
    /// Without the keepers: first those who write, then those who may be told to stop reading.
    var clients: [SimulatedClient] = []
    /// Open a list in which nothing happens.
    var idle: [SimulatedClient] = []
    private var authors: [ClientID: SimulatedClient] = [:]
    /// Since the last sample.
    var figures = Figures()
    private(set) var flaws = FlawTally()
    /// What the server refused, in its words; the first few.
    private(set) var complaints: [String] = []
    /// Why a connection could not be made, the last time.
    private(set) var lastFailure: String?
    /// Whoever is cut comes back by itself.
    var wantsEverybody = true
    /// Lists that were removed.
    var removed = 0
    var makers: [EditMaker] = []
    var waiting: ArraySlice<SimulatedClient> = []
    var underWay = 0
    /// Set while edits are written.
    var writing = false
    var edits: Schedule?
    var comings: Schedule?
    var nextWriter = 0
    var nextComer = 0
    var madeClients = 0
    /// When some clients stopped reading.
    var stalledAt: Moment?
    /// When the last entry of a timed edit arrived anywhere.
    private(set) var lastArrival = Moment.now
    /// When somebody was caught up last.
    private(set) var lastJoin = Moment.now

    init(
        _ settings: Settings, on loop: EventLoop, at endpoint: WebSocketClient.Endpoint,
        name: UserName, word: String
    ) {
        self.settings = settings
        self.loop = loop
        self.endpoint = endpoint
        self.name = name
        self.word = word
    }

    func makeClient(in lane: Int) -> SimulatedClient? {
        freshID().map { SimulatedClient($0, in: lane, of: self) }
    }

    func freshID() -> ClientID? {
        madeClients += 1
        return ClientID("load-\(word)-\(madeClients)")
    }

    func mayWrite(_ client: SimulatedClient) { authors[client.id] = client }

    func note(_ flaw: Flaw) { flaws.note(flaw) }

    func noteError(_ sentence: String) {
        figures.errors += 1
        if complaints.count < 5 { complaints.append(sentence) }
    }

    /// Takes note of the entries that a client was the first to get.
    func register(_ lane: Lane) {
        guard lane.log.hasNews else { return }
        for flaw in lane.log.takeFlaws() { note(flaw) }
        for entry in lane.log.takeFresh() {
            let (n, version) = (entry.n.number, entry.version.number)
            let writer = authors[entry.client]
            if let writer, !writer.author.logged(n, at: version) {
                note(.doubled(lane.list, version))
            }
            let intended = writer?.author.pending[n]?.intended
            lane.deliveries.began(version, intended: intended)
            guard settings.pace == .oneAtATime, intended != nil else { continue }
            let lacking = lane.readers.count { $0.isLive && !$0.isSlow && $0.cursor < version }
            lane.awaited = (version, lacking)
        }
    }

    /// A client has more entries than before.
    func arrived(_ client: SimulatedClient, _ lane: Lane, after before: UInt64) {
        let through = client.cursor
        figures.delivered += Int(through - min(before, through))
        guard let since = client.since else { return }
        let now = Moment.now
        lastArrival = now
        if !client.isSlow {
            lane.deliveries.arrived(after: before, through: through, at: now, since: since)
        }
        guard client.isLive, !client.isSlow else { return }
        if let awaited = lane.awaited, before < awaited.version, awaited.version <= through {
            nobodyLacks(lane, awaited)
        }
    }

    private func nobodyLacks(_ lane: Lane, _ awaited: (version: UInt64, lacking: Int)) {
        lane.awaited = (awaited.version, awaited.lacking - 1)
        guard awaited.lacking <= 1 else { return }
        lane.awaited = nil
        writeNext(in: lane)
    }

    func becameLive(_ client: SimulatedClient, _ lane: Lane, _ came: Moment?, _ now: Moment) {
        lastJoin = now
        if let came { figures.joins.record(now.nanoseconds(since: came)) }
        if settings.presence, lane.log.head > 0, let row = ElementID("row-0") {
            client.say(.presence(lane.list, editing: [row]))
        }
        settled(client)
    }

    /// A connection ended without having been asked to.
    func cut(_ client: SimulatedClient, _ reason: CloseReason) {
        if client.isConnected { figures.cuts += 1 } else { figures.failedConnects += 1 }
        if case .failed(_, let sentence) = reason { lastFailure = sentence }
        left(client)
        settled(client)
    }

    /// A client is no longer there: nobody waits for it.
    func left(_ client: SimulatedClient) {
        let lane = lanes[client.lane]
        guard client.isLive, !client.isSlow, let awaited = lane.awaited,
            client.cursor < awaited.version
        else { return }
        client.state = .away
        nobodyLacks(lane, awaited)
    }
}
