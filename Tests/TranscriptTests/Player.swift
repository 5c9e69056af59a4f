import ListModel
import PairHarness

/// Plays a transcript in process, as ../shared/transcripts/run does with the real programs: after
/// every step all who are online have caught up; at the end nobody was told more, and all agree.
final class Player {
    let world: World
    private let transcript: Transcript
    private var windows: [(name: String, window: ShellWindow)] = []
    private var last: [String: String] = [:]

    init(_ transcript: Transcript, seed: UInt64 = 1, writeBytes: Int = 64 << 10) {
        self.transcript = transcript
        var conditions = Conditions()
        conditions.history = transcript.history
        conditions.writeBytes = writeBytes
        world = World(seed: seed, conditions)
    }

    func play() throws {
        try setUp()
        for (index, step) in transcript.steps.enumerated() {
            let next = index + 1 < transcript.steps.count ? transcript.steps[index + 1] : nil
            do {
                try play(step, next)
            } catch {
                let line = "\(step.who)\(step.mark) \(step.rest)"
                throw Broken("\(transcript.path):\(step.number): \(line): \(error)")
            }
        }
        try finish()
    }

    private func setUp() throws {
        let setup = try window("setup")
        for row in transcript.rows {
            let id = row.prefix { $0 != " " }
            let answer = try setup.send("add \(row.dropFirst(id.count)) --id \(id) --last")
            try demandOK(answer, "setup: \(row)")
        }
        setup.kill()
        windows = []
    }

    private func window(_ name: String) throws -> ShellWindow {
        if let known = windows.first(where: { $0.name == name }) { return known.window }
        let window = ShellWindow(world, name, on: transcript.list)
        windows.append((name, window))
        try window.start()
        return window
    }

    private func windows(_ name: String) throws -> [ShellWindow] {
        name == "all" ? windows.map(\.window) : [try window(name)]
    }

    /// Everyone who is online and has a server to talk to catches up with everyone else, twice: the
    /// first round brings the outcomes home, the second what these caused.
    private func settle() throws {
        guard world.server.isRunning else { return }
        for _ in 0..<2 {
            for (name, window) in windows where window.isOnline {
                let answer = try window.send("sync")
                try demandOK(answer, "\(name): sync")
            }
        }
    }

    private func play(_ step: Transcript.Step, _ next: Transcript.Step?) throws {
        switch step.mark {
        case "~" where step.who == "server": try serve(step.rest)
        case "~":
            let window = try window(step.who)
            guard ["kill", "restart"].contains(step.rest) else { throw Broken("kill or restart") }
            window.kill()
            try window.start()
            try settle()
        case ">":
            let answer = try window(step.who).send(step.rest)
            last[step.who] = answer
            let isJudged = next?.mark == "<" && next?.who == step.who
            guard isJudged || answer.hasPrefix("ok") else { throw Broken("answered `\(answer)`") }
            try settle()
        case "<":
            let answer = last[step.who] ?? "nothing"
            guard Comparison.holds(step.rest, answer) else { throw Broken("answered `\(answer)`") }
        case "*": try expect(step.rest, at: try window(step.who))
        default: try compare(step)
        }
    }

    private func serve(_ verb: String) throws {
        switch verb {
        case "kill": world.server.kill()
        case "stop": try world.server.drain()
        case "start": world.server.start()
        case "restart":
            try world.server.drain()
            world.server.start()
        default: throw Broken("unknown: server~ \(verb)")
        }
        try world.runUntilQuiet()
        try settle()
    }

    private func expect(_ event: String, at window: ShellWindow) throws {
        if window.events.isEmpty { try world.runUntilQuiet() }
        guard !window.events.isEmpty else { throw Broken("no such event came") }
        let told = window.events.removeFirst()
        guard Comparison.holds(event, told) else { throw Broken("the next event was `* \(told)`") }
    }

    private func compare(_ step: Transcript.Step) throws {
        for window in try windows(step.who) {
            let rows = try window.listed()
            if step.mark == "=" {
                let ids = rows.map(\.id)
                guard ids == step.rest.split(separator: " ").map(String.init) else {
                    throw Broken("\(window.node.user) has: \(ids.joined(separator: " "))")
                }
                continue
            }
            let words = Comparison.words(step.rest)
            guard let row = rows.first(where: { $0.id == words[0] }) else {
                throw Broken("\(window.node.user) has no \(words[0])")
            }
            let fields = row.fields.map(Comparison.word)
            for word in words.dropFirst() where !fields.contains(Comparison.word(word)) {
                throw Broken("\(window.node.user) has \(row.fields.joined(separator: " "))")
            }
        }
    }

    private func finish() throws {
        try settle()
        try world.runUntilQuiet()
        for (name, window) in windows {
            guard let more = window.events.first else { continue }
            throw Broken(
                "\(transcript.path): \(name) was told more than the transcript says: `* \(more)`")
        }
        guard world.server.isRunning else { return }
        let online = windows.filter(\.window.isOnline)
        let shown = try online.map { try $0.window.listed() }
        for (rows, other) in zip(shown, shown.dropFirst()) {
            let same = zip(rows, other).allSatisfy {
                $0.id == $1.id && $0.fields.map(Comparison.word) == $1.fields.map(Comparison.word)
            }
            guard rows.count == other.count, same else {
                throw Broken("\(transcript.path): those online differ: \(shown)")
            }
        }
    }
}
