internal import Glibc
internal import ListModel
internal import ListProtocol
internal import WebSockets

/// One run from its start to its report, on the main thread: it starts a server if none was given,
/// lets the crowd come, measures, waits until everybody has everything, and has it proved.
///
///     prepare ─▶ gather ─▶ measure ─▶ settle ─▶ prove ─▶ report
final class Run {
    let settings: Settings
    let server: OwnServer?
    let loop: EventLoop
    let crowd: Crowd
    var report: Report
    /// Seconds in which everybody must have everything once writing has ended.
    static let patience = 60.0

    init(_ settings: Settings, _ interruption: Interruption) throws(LoadFailure) {
        self.settings = settings
        server = settings.server == nil ? try OwnServer(folder: settings.folder) : nil
        if let server {
            interruption.set { server.stop() }
            try Self.start(server)
        }
        let address = settings.server
        let endpoint = WebSocketClient.Endpoint(
            host: address?.host ?? "127.0.0.1", port: address?.port ?? server?.port ?? 0,
            tls: address?.isSecure ?? false)
        loop = try Self.makeLoop()
        guard let name = UserName("load") else { throw LoadFailure("no name") }
        let word = String(UInt32.random(in: .min ... .max), radix: 36)
        crowd = Crowd(settings, on: loop, at: endpoint, name: name, word: word)
        report = Report(settings, server: endpoint.port)
        if server == nil {
            interruption.set { [crowd] in Self.removeLists(crowd, within: 2) }
        }
    }

    /// Answers the report; whatever happens, the server and the lists are gone then.
    func perform() throws(LoadFailure) -> Report {
        defer { cleanUp() }
        try prepare()
        try gather()
        try measure()
        settle()
        prove()
        return report
    }

    /// The process whose CPU time and memory are told.
    var usage: ProcessUsage? {
        (server?.process ?? settings.process).flatMap { ProcessUsage(of: $0) }
    }

    /// Waits until `condition`, asked on the loop, holds. False: it took too long.
    func wait(seconds: Double, _ condition: @escaping @Sendable () -> Bool) -> Bool {
        let end = Moment.now.adding(seconds: seconds)
        while Moment.now < end {
            if loop.perform({ condition() }) { return true }
            rest(milliseconds: 20)
        }
        return false
    }

    private static func start(_ server: OwnServer) throws(LoadFailure) {
        do throws(LoadFailure) {
            try server.start()
        } catch {
            server.stop()
            throw error
        }
    }

    private static func makeLoop() throws(LoadFailure) -> EventLoop {
        do throws(WebSocketError) {
            var options = EventLoop.Options()
            options.name = "load"
            return try EventLoop(options: options)
        } catch {
            throw LoadFailure(error.description)
        }
    }

    private func prepare() throws(LoadFailure) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let wanted = settings.clients + settings.idle + settings.lists + 64
        guard wanted < Int(clamping: limit.rlim_cur) else {
            throw LoadFailure(
                "\(wanted) connections, but this process may open \(limit.rlim_cur) files: "
                    + "ulimit -n")
        }
        loop.perform { [crowd] in crowd.makeLanes() }
        guard wait(seconds: 30, { [crowd] in crowd.keepersAreLive }) else { throw nobodyCame() }
        loop.perform { [crowd] in crowd.fill() }
        let patience = 30 + Double(settings.rows * settings.lists) / 1_000
        guard wait(seconds: patience, { [crowd] in crowd.isComplete }) else {
            throw LoadFailure("the lists could not be filled in \(Int(patience)) s")
        }
    }

    private func gather() throws(LoadFailure) {
        let (before, begun) = (usage, Moment.now)
        let people = settings.clients + settings.idle
        loop.perform { [crowd] in crowd.gather() }
        let patience = 30 + Double(people) / 50
        guard wait(seconds: patience, { [crowd] in crowd.isComplete }) else { throw nobodyCame() }
        report[.gathering] = Moment.now.seconds(since: begun)
        // What they say of themselves goes on for a moment.
        if settings.presence { waitForQuiet() }
        _ = loop.perform { [crowd] in crowd.sample() }
        guard let before, let after = usage else { return }
        let cpu = Double(after.cpu - before.cpu) / 1e9
        report[.cpuOfGathering] = cpu
        report[.cpuPerConnection] = cpu / Double(people)
        let memory = Double(after.memory) - Double(before.memory)
        report[.memoryPerConnection] = max(0, memory) / Double(people)
    }

    /// Until the server has done next to nothing for a second.
    private func waitForQuiet() {
        for _ in 0..<60 {
            let before = usage?.cpu ?? 0
            rest(milliseconds: 1_000)
            if (usage?.cpu ?? 0) - before < 20_000_000 { return }
        }
    }

    private func nobodyCame() -> LoadFailure {
        let (live, reason) = loop.perform { [crowd] in
            (crowd.liveCount, crowd.complaints.first ?? crowd.lastFailure)
        }
        let why = reason.map { " \($0)" } ?? ""
        return LoadFailure(
            "\(live) of \(settings.clients + settings.idle) clients could join.\(why)")
    }

    private func prove() {
        let joined = Moment.now
        loop.perform { [crowd] in crowd.joinAgain() }
        _ = wait(seconds: Self.patience, { [crowd] in crowd.isComplete })
        report.note(
            loop.perform { [crowd] in
                crowd.prove()
                return (crowd.flaws, crowd.complaints, crowd.unproven)
            })
        report.proofSeconds = Moment.now.seconds(since: joined)
    }

    private func cleanUp() {
        loop.perform { [crowd] in crowd.wantsEverybody = false }
        if server == nil { Self.removeLists(crowd, within: 10) }
        loop.stop()
        server?.stop()
    }

    /// Asks the server to forget the lists of this run.
    private static func removeLists(_ crowd: Crowd, within seconds: Double) {
        let accepted = crowd.loop.post { crowd.removeLists() }
        let end = Moment.now.adding(seconds: seconds)
        while accepted, Moment.now < end {
            if crowd.loop.perform({ crowd.removed >= crowd.lanes.count }) { return }
            rest(milliseconds: 20)
        }
    }
}
