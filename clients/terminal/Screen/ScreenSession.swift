internal import ListModel
internal import ListProtocol
internal import ListReplica

/// The full screen as a state machine: keys and news in, frames and wishes out. It knows neither
/// the terminal nor the socket; whoever owns it runs the `ClientCore` and passes on its news.
///
/// Order of calls: `open` once; then `handle`, `absorb` and `frame` in any order. `takeWishes`
/// after the first two. The same state and size give the same frame; a frame costs what it shows,
/// however long the list is.
final class ScreenSession {
    let core: ClientCore
    let list: ListName
    /// Fresh IDs for new rows.
    let freshID: () -> ElementID
    /// A time of day as the user reads it.
    let clock: (Timestamp) -> String

    var mode = Mode.browsing
    /// The selected element; it may be gone from the rows, and stands where it stood until the
    /// selection moves on: no key meant for it may fall on its neighbour.
    var cursor: ElementID?
    /// Where among the rows it stands, or stood last.
    var cursorIndex = 0
    /// The index of the row that is shown though it is not there any more.
    var ghostIndex: Int?
    var marked: Set<ElementID> = []
    /// Rows as they were when an editor opened: they stand still until it closes.
    var held: [RowKey]?
    var scroll = Scroll()
    /// Rows that others changed, and until when they are marked.
    var changed: [ElementID: Timestamp] = [:]

    var notice: Notice?
    var pattern = ""
    var expected: [MutationNumber: Expectation] = [:]
    /// Who wrote where a draft does, as it was told.
    var rivals: [ElementID: [FieldName: UserName]] = [:]
    /// Files that hold the texts of editors as well, until they are saved.
    var files: [ElementID: String] = [:]
    var unread: [ElementID: UnreadText] = [:]
    /// Editors whose commit met a conflict, until the user has decided.
    var undecided: [ElementID] = []
    var historyRequest: (request: RequestID, of: ElementID)?
    /// Esc was pressed once where the second one drops text.
    /// Changes that would be lost with the program, as it was said last.
    private var warnedOf = 0
    var isDropping = false
    var isMouseOn = false
    /// When a key came last, and when something else than a key changed what the keys mean.
    var lastKeyAt = Timestamp.zero
    var turnedAt: Timestamp?
    var counting = OpenCount()
    /// What elements were called when they were last seen as rows; for those that are gone.
    var lastTitles: [ElementID: String] = [:]
    /// Whether the list has been in step with the server in this run.
    var wasLive = false
    /// Text to read in lines of a width: a long history costs more than a key may.
    var wrapped: (text: [String], width: Int, lines: [FrameLine])?
    private var wishes: [Wish] = []

    /// How long keys must pause before those of a panel are heard that nobody asked for, in
    /// milliseconds: what was being typed is no answer to it.
    static let turnPause: Int64 = 700
    /// How long a row that others changed is marked, in milliseconds.
    static let markTime: Int64 = 2_000

    init(
        core: ClientCore, list: ListName, freshID: @escaping () -> ElementID,
        clock: @escaping (Timestamp) -> String
    ) {
        self.core = core
        self.list = list
        self.freshID = freshID
        self.clock = clock
    }

    var replica: Replica? { core.replicas[list] }
    var rows: ListState { replica?.list ?? ListState() }

    /// After the list was opened in the core: takes up what an earlier run left.
    func open(at now: Timestamp) {
        replica?.tellsEntries = true
        let drafts = replica?.openEditors.filter { $0.commit == nil } ?? []
        if let draft = drafts.first(where: { $0.vanish == nil }) {
            cursor = draft.id
            let title = quoted(draft.id)
            say("Your text for \(title) is kept from last time. e goes on with it.", .news)
        } else if replica?.note.isEmpty == false {
            say("A new row that you began is kept from last time. a goes on with it.", .news)
        }
        settle(now)
    }

    /// The server does not answer, and has not in this run.
    func sayHowOld() {
        guard let replica, replica.epoch != nil, !wasLive, notice == nil else { return }
        let head = replica.speculation.confirmedHead
        let last = rows.lastAt > .zero ? ", last changed \(clock(rows.lastAt))" : ""
        say("Your own copy, version \(head)\(last); what you do is kept and sent later.", .news)
    }

    func handle(_ key: Key, at now: Timestamp) {
        defer {
            lastKeyAt = now
            settle(now)
        }
        endTurn(now)
        // Text meant for an editor that did not open does nothing, and what was said stays.
        if case .browsing = mode, isTurned(now) {
            if key == .escape { (turnedAt, notice) = (nil, nil) }
            return
        }
        notice = nil
        let wasDropping = isDropping
        isDropping = false
        if case .wheelUp = key { return wheel(-3) }
        if case .wheelDown = key { return wheel(3) }
        if scroll.isAway, case .browsing = mode, key != .text("q") { return reveal() }
        switch mode {
        case .browsing: browse(key, now)
        case .asking(let question): answer(question, key, now)
        case .confirming(let ids): confirm(ids, key, now)
        case .writing(let writing):
            guard !isTurned(now) else { return }
            write(writing, key, wasDropping, now)
        case .adding(let field): add(field, key, wasDropping, now)
        case .vanished(let vanished): decide(vanished, key, wasDropping, now)
        case .conflict(let id): decide(id, key, now)
        case .outside: break
        case .reading(let reading): read(reading, key)
        }
    }

    /// Time has passed, or news came.
    func absorb(_ news: [News], at now: Timestamp) {
        endTurn(now)
        for item in news { absorb(item, now) }
        goOnIfDecided(now)
        changed = changed.filter { $0.value > now }
        settle(now)
    }

    func takeWishes() -> [Wish] {
        defer { wishes = [] }
        return wishes
    }

    func wish(_ wish: Wish) { wishes.append(wish) }

    /// Changes that this machine could not keep, and that were not sent.
    var unkept: Int { core.unkeptCount(in: list) }

    /// Asks again where something would be lost.
    func quit() {
        let lost = unkept
        guard lost > warnedOf else { return wish(.quit) }
        warnedOf = lost
        let what = counted(lost, "change")
        say("\(what) could be neither kept on this machine nor sent: q again loses that.", .trouble)
    }

    func say(_ text: String, _ kind: Notice.Kind) { notice = Notice(text: text, kind: kind) }

    /// When `absorb` is due though there is no news; `nil`: not before something happens.
    func nextTick(after now: Timestamp) -> Timestamp? {
        var times = changed.values.filter { $0 > now }
        if isTurned(now), let due = turnEnds { times.append(due) }
        if case .waiting = core.link.state { times.append(now.adding(milliseconds: 1_000)) }
        if let due = counting.due(rows.count) {
            times.append(max(due, now.adding(milliseconds: 1)))
        }
        return times.min()
    }

    /// Something else than a key changed what the keys mean, and keys meant for what was before may
    /// still be coming.
    func isTurned(_ now: Timestamp) -> Bool { turnEnds.map { now < $0 } ?? false }

    /// Keys have paused: from here on they mean what the mode says.
    private func endTurn(_ now: Timestamp) { if !isTurned(now) { turnedAt = nil } }

    private var turnEnds: Timestamp? {
        turnedAt.map { max($0, lastKeyAt).adding(milliseconds: Self.turnPause) }
    }

    func turn(to mode: Mode, _ now: Timestamp) {
        self.mode = mode
        turnedAt = now
    }

    /// The user asked for another mode: keys mean it at once.
    func go(to mode: Mode) {
        self.mode = mode
        turnedAt = nil
    }
}
