import ListModel
import ListProtocol
import ListReplica
import PairHarness

@testable import Terminal

/// One person's `samelist shell`, in process: lines in, answers, rows and events out.
final class ShellWindow {
    let node: ClientNode
    let list: ListName
    private let world: World
    private var session: ShellSession?
    var isOnline = true
    var events: [String] = []
    private(set) var answer: String?
    private(set) var rows: [String] = []
    private var fresh: Randomness

    /// How long a command may take to answer, in milliseconds.
    private static let patience: Int64 = 60_000

    init(_ world: World, _ name: String, on list: ListName, as user: String? = nil) {
        self.world = world
        self.list = list
        node = world.addClient(name, as: user)
        fresh = Randomness(seed: world.random.next())
        node.onStart = { [unowned self] core in begin(core) }
        node.onNews = { [unowned self] news in
            session?.absorb(news, at: world.now)
            show()
        }
        node.faceTick = { [unowned self] in session?.nextTick }
    }

    private func begin(_ core: ClientCore) {
        let kept = node.state
        session = ShellSession(
            core: core, freshID: { [unowned self] in ElementID(fresh.word())! },
            stored: { name in kept.filter { $0.key.hasPrefix("list/\(name)/") } })
        core.goOnline(at: world.now)
    }

    func start() throws {
        node.start()
        isOnline = true
        let answer = try send("open \(list) --create")
        try demandOK(answer, "\(node.user): open")
    }

    func kill() {
        node.kill()
        session = nil
    }

    /// Gives the shell a command and waits for its answer.
    func send(_ command: String) throws -> String {
        answer = nil
        rows = []
        guard let session else { throw Broken("\(node.user): the shell does not run") }
        node.perform { _, now in session.read(command, at: now) }
        show()
        try world.run(for: Self.patience) { answer != nil }
        guard let answer else { throw Broken("\(node.user): no answer to `\(command)`") }
        switch command.split(separator: " ").first {
        case "offline": isOnline = false
        case "online": isOnline = true
        default: break
        }
        return answer
    }

    private func show() {
        for line in session?.takeLines() ?? [] {
            switch line.kind {
            case .event: events.append(String(line.plain.dropFirst(2)))
            case .row: rows.append(line.plain)
            case .ok, .error: answer = line.plain
            }
        }
    }

    /// What `list` shows.
    func listed() throws -> [(id: String, fields: [String])] {
        let answer = try send("list")
        try demandOK(answer, "\(node.user): list")
        return rows.map { row in
            let words = Comparison.words(row)
            return (words[0], Array(words.dropFirst()))
        }
    }
}
