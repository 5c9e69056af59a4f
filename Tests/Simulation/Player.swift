internal import ListModel
internal import ListProtocol
internal import ListReplica
internal import PairHarness

/// Somebody at a client, with the list open, and all that checkers know of this client.
final class Player {
    let index: Int
    let node: ClientNode
    unowned let simulation: Simulation
    var model = EditorModel()
    var ledger = Ledger()
    /// The elements on which the verb in hand works; `nil`: news come from elsewhere.
    var own: Set<ElementID>?
    /// Editors that differ from the list after a start, where pending work comes to something else
    /// as long as nobody is known to be there: looked at again when the server has spoken.
    var unsettled: Set<ElementID> = []
    /// What was sent under each number, as it was sent last.
    var asked: [MutationNumber: Consent.Asked] = [:]
    /// The same of lives that were left when its state was set back.
    private(set) var lefts: [MutationNumber: [Consent.Asked]] = [:]
    var copy: Copy?
    var hasGoneBack = false
    /// The view it has.
    var lens: Lens?
    /// Who else edits, as each editor was told.
    var others: [ElementID: [UserName]] = [:]
    var departures: [ElementID: Departure] = [:]
    /// To whom it is due that own work was skipped, as far as that is news.
    var blamed: Set<UserName> = []
    /// Where the list stood when each editor was opened.
    var openings: [ElementID: (epoch: Epoch?, version: Version)] = [:]
    /// At which versions each log came as a snapshot.
    private(set) var wholes: [Epoch: Set<Version>] = [:]
    /// Which of it is undo or redo.
    var takenBack: Set<MutationNumber> = []
    private(set) var last: (epoch: Epoch?, version: Version) = (nil, .zero)
    var saved: UInt64 = 0
    private var reading = Reading()

    init(_ simulation: Simulation, _ world: World, _ index: Int) {
        self.index = index
        self.simulation = simulation
        node = world.addClient("p\(index)")
        node.onStart = { [unowned self] core in start(core) }
        node.onNews = { [unowned self] news in absorb(news) }
        node.onSend = { [unowned self] message in submitted(message) }
        node.onMessage = { [unowned self] message in heard(message) }
    }

    private func submitted(_ message: ClientMessage) {
        if case .open(let open) = message { reading.sent(open, on: node.connects) }
        guard case .submit(let submission) = message else { return }
        asked[submission.n] = Consent.Asked(
            operations: submission.operations, takesBack: takenBack.contains(submission.n),
            digest: Mutation(
                client: node.id, n: submission.n, operations: submission.operations,
                atomic: submission.atomic
            ).digest)
    }

    func others(under n: MutationNumber, _ asked: Consent.Asked) {
        lefts[n, default: []].append(asked)
    }

    /// A verb gave this number to a mutation. A crash may have given it before, to what was never
    /// sent.
    func issue(_ n: MutationNumber, at ticket: UInt64) {
        if asked[n] != nil { complain(.outcome, "\(n) is given again, and was sent before") }
        takenBack.remove(n)
        ledger.issue(n, at: ticket)
    }

    var name: String { "p\(index)" }
    var replica: Replica? { node.core?.replicas[Simulation.list] }
    /// Whether the list is not to be had until a person opens it again: it was deleted, or is not
    /// known there. Whatever else fails must mend by itself.
    var isShutOut: Bool {
        switch replica?.sync {
        case .gone: true
        case .failed(let refusal): refusal.code == .noSuchList || refusal.code == .listDeleted
        default: false
        }
    }
    var ticket: UInt64 { node.core?.ticket ?? 0 }

    private func start(_ core: ClientCore) {
        let now = simulation.world.now
        core.goOnline(at: now)
        do throws(Refusal) {
            let kept = node.kept(of: Simulation.list)
            try core.open(Simulation.list, create: true, stored: kept, at: now)
        } catch {
            complain(.survival, error.sentence)
        }
        last = (nil, .zero)
        lens = nil
        others = [:]
        guard let replica else { return }
        let unresolved = Set(replica.unresolved.map(\.mutation.n))
        takenBack.formIntersection(unresolved)
        complain(.survival, ledger.restart(with: unresolved))
        complain(.survival, model.restart(with: replica.openEditors, saved: saved))
        saved = 0
        unsettled = model.differing(from: sight(of: replica, false))
        checkList(replica)
    }

    func complain(_ checker: Checker, _ sentence: String?) {
        guard let sentence else { return }
        simulation.complain(checker, "\(name) \(sentence)")
    }

    /// What is said of a mutation must not come before its entry.
    private func heard(_ message: ServerMessage) {
        complain(.wire, reading.heard(message, on: node.connects))
        if case .snapshot(_, let part) = message {
            wholes[part.position.epoch, default: []].insert(part.position.version)
        }
        guard case .outcome(_, let n, let answer) = message,
            case .logged(let version, _) = answer.outcome, let replica, replica.isLive,
            replica.unresolved.contains(where: { $0.mutation.n == n }),
            replica.epoch == simulation.epoch, replica.speculation.confirmedHead < version
        else { return }
        complain(.outcome, "\(n) is told at \(version) before its entry")
    }

    private func absorb(_ news: [News]) {
        guard let replica else { return }
        noteRenumbered()
        blamed = blamed(for: news, replica)
        var told: [EditorModel.Told] = []
        var (isClosed, isChanged) = (false, false)
        defer { if isClosed { unsettled = [] } }
        for item in news {
            switch item {
            case .saved(let ticket):
                saved = max(saved, ticket)
                ledger.save(ticket)
            case .editor(_, let id, let event):
                checkNames(id, event, replica)
                if let event = EditorModel.Told(id, event) { told.append(event) }
            case .outcome(_, let n, let report): check(n, report)
            case .committed(_, let id, let n, _):
                if isSaved(id, by: n, news) { model.close(id, at: ticket) }
            case .failed(_, let refusal): simulation.note("\(name) failed: \(refusal.code)")
            case .stateFailed: simulation.note("\(name) cannot keep what is done")
            case .closed: isClosed = true
            case .caughtUp: unsettled = []
            case .changed: isChanged = true
            case .link(let state): simulation.remark("\(name) is \(state)")
            case .entries, .presence, .answer, .logReplaced: break
            }
        }
        for event in told { simulation.remark("\(name) is told: \(event)") }
        checkList(replica)
        checkEditors(replica, told, isClosed: isClosed)
        // Rows change where that is told, and nowhere else.
        if isChanged, let fault = lens?.fault(of: replica) { complain(.view, fault) }
        simulation.trace(self, news.count)
    }

    private func check(_ n: MutationNumber, _ report: Report) {
        let outcome = report.answer.outcome
        simulation.remark("\(name) is told of \(n): \(outcome)")
        if let number = ledger.number(toldAs: n), !outcome.isDone { model.abandon(number) }
        complain(.outcome, ledger.tell(n, outcome, at: ticket))
        let entries = simulation.truth.entries(of: n, by: node.id)
        switch outcome {
        case .logged(let version, let skips):
            guard !entries.contains(where: { $0.version == version && $0.skips == skips }) else {
                break
            }
            if !ledger.isReplaced(n), !wasShown(n, version, entries) {
                complain(.outcome, "\(n) is not logged at \(version)")
            }
        case .nothing, .refused:
            if case .refused(let refusal) = outcome, refusal.code == .numberReused,
                !hasGoneBack
            {
                complain(.outcome, "\(n) is refused: \(refusal.sentence)")
            }
            guard outcome.isDenial, !ledger.isReplaced(n), let epoch = simulation.epoch,
                let entry = simulation.truth.entry(of: n, by: node.id, in: epoch), !isLeft(entry)
            else { break }
            complain(.outcome, "\(n) is logged at \(entry.version), and was told \(outcome)")
        }
    }

    /// The confirmed list against the log, where it has changed.
    private func checkList(_ replica: Replica) {
        let version = replica.speculation.confirmedHead
        guard let epoch = replica.epoch, (epoch, version) != (last.epoch ?? epoch, last.version)
        else {
            last = (replica.epoch, version)
            return
        }
        if epoch == last.epoch, version < last.version {
            complain(.replica, "went back from \(last.version) to \(version)")
        }
        last = (epoch, version)
        guard let print = simulation.truth.print(of: epoch, at: version) else {
            return complain(.replica, "is at \(version), which was never logged")
        }
        if print != replica.confirmed.print {
            complain(.replica, "is not what the log is at \(version)")
        }
    }
}

extension Replica {
    /// The confirmed list, without pending work.
    var confirmed: ListState {
        guard !speculation.pending.isEmpty else { return list }
        var copy = speculation
        copy.rebase(
            { ResolutionContext(at: $0.at, by: $0.by, limits: Limits()) },
            dropping: { _ in true }, { _ in })
        return copy.list
    }
}

extension Outcome {
    /// Everything that was asked for is so.
    var isDone: Bool {
        switch self {
        case .logged(_, let skips), .nothing(let skips): skips.isEmpty
        case .refused: false
        }
    }
}
