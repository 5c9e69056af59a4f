internal import ListAuthority
internal import ListModel
internal import ListReplica
internal import PairHarness

/// One run of a scenario: real cores on simulated sockets, disks and clocks, with every checker
/// looking on. It stops at the first complaint.
package final class Simulation {
    static let list = ListName("list")!
    /// In which everything must be in step, once the last fault is over, in milliseconds.
    static let patience: Int64 = 30_000

    let scenario: Scenario
    private let isVerbose: Bool
    let world: World
    let truth = Truth()
    private(set) var players: [Player] = []
    /// Every element that was ever added.
    var added: [ElementID] = []
    /// Who added the last of them; `nil` where nobody else may add it too.
    var lastAdder: Int?
    var backup: Disk.Log?
    var backups = 0
    private var hash = Trace()
    private var script: [String] = []
    private(set) var complaint: Complaint?
    private var operations = 0

    package struct Result: Sendable {
        package let seed: UInt64
        package let operations: Int
        package let complaint: Complaint?
        /// What was done, a line a step.
        package let script: [String]
        package let trace: UInt64
    }

    package static func run(_ scenario: Scenario, isVerbose: Bool = false) -> Result {
        let simulation = Simulation(scenario, isVerbose)
        simulation.play()
        return Result(
            seed: scenario.seed, operations: simulation.operations,
            complaint: simulation.complaint, script: simulation.script,
            trace: simulation.hash.value)
    }

    private init(_ scenario: Scenario, _ isVerbose: Bool) {
        self.isVerbose = isVerbose
        self.scenario = scenario
        world = World(seed: scenario.seed, scenario.conditions)
        let world = world
        players = (0..<scenario.people).map { Player(self, world, $0) }
        world.server.disk.onEntry = { [unowned self] _, epoch, entry in log(entry, in: epoch) }
    }

    /// Of the list as the server's disk has it now.
    var epoch: Epoch? { world.server.disk.logs[Self.list]?.epoch }

    func note(_ line: String) {
        guard complaint == nil else { return }
        script.append("\(world.now.milliseconds - 1_700_000_000_000) \(line)")
        hash.add(line)
    }

    /// A line that only a run to be read has.
    func remark(_ line: @autoclosure () -> String) {
        guard isVerbose, complaint == nil else { return }
        script.append("\(world.now.milliseconds - 1_700_000_000_000)   \(line())")
    }

    func trace(_ player: Player, _ count: Int) {
        hash.add(UInt64(world.now.milliseconds))
        hash.add(UInt64(player.index) << 32 | UInt64(count))
        hash.add(player.replica?.speculation.confirmedHead.number ?? 0)
    }

    func complain(_ checker: Checker, _ sentence: String) {
        guard complaint == nil else { return }
        note("\(checker.rawValue): \(sentence)")
        complaint = Complaint(checker: checker, sentence: sentence)
    }

    private func log(_ entry: Entry, in epoch: Epoch) {
        let before = truth.logs[epoch]?.list ?? PlainList()
        if let fault = truth.note(entry, in: epoch) { complain(.log, fault) }
        hash.add(entry.version.number)
        hash.add(entry.digest)
        remark("logged \(entry.version): \(entry.client) \(entry.n) \(entry.operations)")
        for player in players where player.node.id == entry.client {
            check(entry, of: player, in: epoch, before)
            if player.ledger.denied.contains(entry.n), !player.isLeft(entry) {
                complain(.outcome, "\(player.name) was told no of \(entry.n), which is logged now")
            }
        }
    }

    private func check(
        _ entry: Entry, of player: Player, in epoch: Epoch, _ before: PlainList
    ) {
        guard let asked = player.asked(as: entry), let after = truth.logs[epoch]?.list else {
            return
        }
        let consent = Consent(
            asked: asked, entry: entry, before: before, after: after,
            isLogged: { n in
                self.truth.version(of: n, by: entry.client, in: epoch, upTo: entry.version) != nil
                    || player.ledger.isHeard(n) || player.isLeft(entry)
            })
        if let fault = consent.fault { complain(.consent, "\(player.name) \(entry.n): \(fault)") }
    }

    private func play() {
        for player in players { player.node.start() }
        do {
            for step in scenario.steps {
                try world.run(for: step.pause)
                guard complaint == nil else { return }
                perform(step)
                if !step.doing.isFault { operations += 1 }
            }
            try settle()
        } catch {
            complain(.liveLock, "\(error)")
        }
    }

    private func perform(_ step: Step) {
        var luck = Randomness(seed: step.luck)
        let player = players[step.person % players.count]
        if step.doing.isFault { return fail(step.doing, player, &luck) }
        guard player.node.isRunning else {
            if luck.happens(300) { start(player) }
            return
        }
        guard !player.isShutOut else { return reopen(player) }
        act(step.doing, player, &luck)
    }

    func start(_ player: Player) {
        note("\(player.name) starts")
        player.node.start()
    }

    private func reopen(_ player: Player) {
        note("\(player.name) opens the list again")
        player.own = []
        defer { player.own = nil }
        player.node.perform { core, now in
            try? core.open(Self.list, create: true, at: now)
        }
    }

    // The end.

    private func settle() throws(LiveLock) {
        note("the faults end")
        calm()
        world.server.start()
        for player in players {
            player.node.isDiskFull = false
            if !player.node.isRunning { start(player) }
            if case .idle? = player.node.core?.link.state {
                player.node.perform { core, now in core.goOnline(at: now) }
            }
        }
        let end = world.now.adding(milliseconds: Self.patience)
        while complaint == nil, world.now < end {
            for player in players where player.isShutOut { reopen(player) }
            try world.run(for: 500)
            if world.isQuiet, players.allSatisfy(isInStep) { break }
        }
        for player in players where complaint == nil { checkEnd(player) }
    }

    private func calm() {
        var conditions = scenario.conditions
        conditions.failedAppends = 0
        conditions.lostAnswers = 0
        conditions.failedReads = 0
        conditions.failedSaves = 0
        conditions.duplicates = 0
        conditions.serverClock = world.conditions.serverClock
        world.conditions = conditions
    }

    private func isInStep(_ player: Player) -> Bool {
        guard let replica = player.replica else { return false }
        return replica.isLive && replica.unresolved.isEmpty
            && replica.speculation.confirmedHead == world.server.disk.logs[Self.list]?.head
    }

    private func checkEnd(_ player: Player) {
        guard let replica = player.replica, isInStep(player) else {
            let waiting = player.replica?.unresolved.map(\.mutation.n) ?? []
            let sync = String(describing: player.replica?.sync)
            return complain(.convergence, "\(player.name) is not in step: \(waiting) \(sync)")
        }
        if let n = player.ledger.silent.first {
            complain(.outcome, "\(player.name) was never told what became of \(n)")
        }
        do {
            try replica.list.checkInvariants()
        } catch {
            complain(.replica, "\(player.name) \(error)")
        }
        for editor in replica.openEditors where editor.vanish == nil {
            let told = player.others[editor.id] ?? []
            if told != replica.othersEditing(editor.id) {
                complain(.presence, "\(player.name) was told of \(told) at \(editor.id) last")
            }
            let others = players.filter { $0.index != player.index }.filter {
                $0.replica?.editors[editor.id].map { $0.vanish == nil } ?? false
            }
            let names = others.map(\.node.user).sorted()
            if replica.othersEditing(editor.id) != names {
                complain(
                    .presence,
                    "\(player.name) sees \(replica.othersEditing(editor.id)) at \(editor.id), "
                        + "where \(names) are")
            }
        }
    }
}
