internal import ListModel
internal import ListProtocol
internal import ListReplica

/// The scriptable client as a state machine: lines in, lines out. It knows neither the terminal nor
/// the socket; whoever owns it runs the `ClientCore` and passes on its news.
///
/// Commands are carried out one after the other: the next begins when the last was answered. Order
/// of calls: `read` and `absorb` any number of times, then `takeLines`.
final class ShellSession {
    let core: ClientCore
    /// Fresh IDs for elements that are added without one.
    let freshID: () -> ElementID
    /// What was stored of a list by an earlier run.
    let stored: (ListName) -> [String: [UInt8]]
    /// Another client's copy of a list, where what was stored holds none.
    let lent: (ListName, [String: [UInt8]]) -> StoredCopy?
    let showsPresence: Bool
    /// The file of what was stored, for people.
    let stateFile: String?

    /// Lists that are known on this machine.
    var knownLists: () -> [String] = { [] }

    var list: ListName?
    /// Work of this run that the server did not do, by the number under which it was proposed.
    var leftOut: [(list: ListName, n: MutationNumber, item: LeftOut)] = []
    /// Such work as it is kept, of this client's earlier runs as well.
    var keptLeftOut: (ListName) -> [LeftOutWork.Item] = { _ in [] }
    /// Lets go of what is kept of it under a number; false: nothing is.
    var forgetLeftOut: (MutationNumber, ListName) -> Bool = { _, _ in false }
    var lines: [Line] = []
    private var commands: [String] = []
    var wait = Wait.nothing
    /// When waiting for the server to open a list gives way to the local copy.
    var patienceEnds: Timestamp?
    /// The list that was open before the one being opened: it is left once that one is there.
    var left: ListName?
    /// How the first command that failed would have ended as a verb.
    private(set) var firstFailure: ExitCode?
    /// Told to end.
    private(set) var isDone = false

    /// What the command being carried out waits for.
    enum Wait {
        case nothing
        /// The list to be caught up.
        case opening(ListName)
        /// The outcome of a mutation, or its being kept here while the server is away; `answer` is
        /// what is answered when it was done.
        case outcome(MutationNumber, ticket: UInt64, answer: Answer)
        /// Something to be kept here.
        case saved(UInt64, Line)
        /// The server's answer; `exit` is how a verb would end where that is an error.
        case reply(RequestID, exit: ExitCode?, (Reply) -> [Line])
    }

    /// The shape of the answer to a mutation.
    enum Answer {
        case version
        case id(ElementID)
    }

    /// How long `open` waits for the server where there is a local copy, in milliseconds.
    var openPatience: Int64 = 3_000

    init(
        core: ClientCore, showsPresence: Bool = false, stateFile: String? = nil,
        freshID: @escaping () -> ElementID,
        stored: @escaping (ListName) -> [String: [UInt8]],
        lent: @escaping (ListName, [String: [UInt8]]) -> StoredCopy? = { _, _ in nil }
    ) {
        self.core = core
        self.showsPresence = showsPresence
        self.stateFile = stateFile
        self.freshID = freshID
        self.stored = stored
        self.lent = lent
    }

    var replica: Replica? { list.flatMap { core.replicas[$0] } }

    /// Whether a command is being carried out.
    var isBusy: Bool {
        if case .nothing = wait { return !isDone && !commands.isEmpty }
        return true
    }

    func read(_ line: String, at now: Timestamp) {
        commands.append(line)
        proceed(now)
    }

    func takeLines() -> [Line] {
        defer { lines = [] }
        return lines
    }

    /// Carries out what waits, as far as it goes without waiting.
    func proceed(_ now: Timestamp) {
        while !isDone, case .nothing = wait, !commands.isEmpty {
            let line = commands.removeFirst()
            do throws(UsageFault) {
                guard let command = try ShellParser.parse(line) else { continue }
                carryOut(command, now)
            } catch {
                answer(.error("usage", error.sentence))
            }
        }
    }

    /// Waits no longer for what a command waits for; what it did stays done.
    func interrupt() {
        if case .nothing = wait { return }
        commands = []
        patienceEnds = nil
        answer(.error("interrupted", "not waited for any longer; what was begun goes on"))
    }

    /// - Parameter exit: how a verb would have ended; else the word of the error tells.
    func answer(_ line: Line, _ exit: ExitCode? = nil) {
        if firstFailure == nil, case .error = line.kind,
            case .word(let word, _)? = line.parts.first
        {
            firstFailure = exit ?? ExitCode(word: word)
        }
        lines.append(line)
        wait = .nothing
    }

    private func carryOut(_ command: ShellCommand, _ now: Timestamp) {
        switch command {
        case .open(let name, let create): open(name, create, now)
        case .quit:
            tellUnkept()
            answer(.ok())
            isDone = true
        case .help: help()
        case .offline:
            core.goOffline(at: now)
            answer(.ok())
        case .online:
            core.goOnline(at: now)
            answer(.ok())
        default:
            guard let list, let replica else {
                return answer(.error("not_open", "open a list first: open LIST"))
            }
            if let refusal = refusal(of: command, replica) { return answer(refusal) }
            carryOut(command, on: replica, list, now)
        }
    }

    /// A list that is no more takes no commands but those that only look.
    private func refusal(of command: ShellCommand, _ replica: Replica) -> Line? {
        guard replica.gone != nil || replica.missing != nil else { return nil }
        switch command {
        case .list, .editors, .pending, .filter, .sort, .cancel, .sync: return nil
        case .discard where replica.gone == nil: return nil
        default:
            guard let gone = replica.gone else {
                return replica.missing.map { .error($0.code.rawValue, $0.sentence) }
            }
            let by = gone.by.map { " by \($0)" } ?? ""
            let sentence =
                gone.code == .accessLost
                ? "the right to read \(replica.name) was taken away; open it again once it is given"
                : "the list \(replica.name) was deleted\(by)"
            return .error(gone.code.rawValue, sentence)
        }
    }

    private func carryOut(
        _ command: ShellCommand, on replica: Replica, _ list: ListName, _ now: Timestamp
    ) {
        switch command {
        case .add(let fields, let id, let place): add(fields, id ?? freshID(), place, list, now)
        case .set(let id, let fields): submit([Operation(.set(id, fields))], list, now)
        case .count(let id, let field, let by):
            submit([Operation(.count(id, field, by: by))], list, now)
        case .move(let ids, let place): submit([Operation(.move(ids, to: place))], list, now)
        case .delete(let ids, let unlessEdited):
            submit(ids.map { Operation(.delete($0, unlessEdited: unlessEdited)) }, list, now)
        case .restore(let id, false): submit([Operation(.restore(id))], list, now)
        case .restore(let id, true): restoreWithDraft(id, list, now)
        case .undo:
            takeBack(
                core.undo(in: list, at: now),
                or: .error("nothing_to_undo", "there is nothing of yours to take back"))
        case .redo:
            takeBack(
                core.redo(in: list, at: now),
                or: .error("nothing_to_redo", "there is nothing taken back to do again"))
        case .list: showRows(of: replica)
        case .filter(let filter, let pins): show(filter, replica.view?.sort, pins, replica)
        case .sort(let sort):
            show(replica.view?.filter ?? Filter(), sort, replica.view?.pins ?? false, replica)
        case .edit, .draft, .commit, .cancel, .saveNew: carryOutEdit(command, list, now)
        case .editors: showEditors(replica)
        case .pending: showPending(replica)
        case .discard(let n): discard(n, list, now)
        case .who: ask({ .who($0, list) }, now, ShellSession.who)
        case .history(let id):
            if let id, case .unknown = replica.list.standing(of: id) {
                return answer(
                    .error(Code.noSuchElement.rawValue, "there is no element \(id)"))
            }
            ask(
                { .history($0, list, of: id, before: nil, limit: 100) }, now, ShellSession.history)
        case .dropList: ask({ .remove($0, list) }, now, { _ in [.ok()] })
        case .sync: sync(list, now)
        case .reload: reload(list, now)
        case .open, .quit, .help, .offline, .online: break
        }
    }
}
