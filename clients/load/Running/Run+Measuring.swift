internal import Glibc

/// The part that is timed, and what everybody gets after it.
extension Run {
    func measure() throws(LoadFailure) {
        let now = Moment.now.adding(seconds: 0.05)
        let edits = Schedule(rate: editRate, from: now, seconds: settings.seconds)
        let comings = Schedule(rate: settings.joins, from: now, seconds: settings.seconds)
        report.begin(usage, generator: loop.perform { ProcessUsage.thisThread })
        loop.perform { [crowd] in crowd.begin(edits: edits, comings: comings) }
        let pacer = Pacer([edits, comings]) { [crowd, loop] in loop.post { crowd.tick() } }
        defer { pacer.stop() }
        let end = now.adding(seconds: settings.seconds)
        var troubles = Troubles(settings, from: now)
        var second = 1.0
        while Moment.now < end {
            let next = min(now.adding(seconds: second), end, troubles.next ?? end)
            rest(until: next)
            if let trouble = troubles.take(by: .now) { try meet(trouble) }
            if Moment.now >= now.adding(seconds: second) {
                sample()
                second = Moment.now.seconds(since: now).rounded(.down) + 1
            }
        }
        loop.perform { [crowd] in crowd.endWriting() }
    }

    /// Waits until everybody has everything; what is then missing is lost.
    func settle() {
        if settings.slow > 0 { loop.perform { [crowd] in crowd.stall(false) } }
        let end = Moment.now.adding(seconds: Self.patience + settings.away)
        var isComplete = false
        while !isComplete, Moment.now < end {
            isComplete = wait(seconds: 1) { [crowd] in crowd.isComplete }
            if !isComplete { sample() }
        }
        report.isComplete = isComplete
        let (last, cpu) = loop.perform { [crowd] in
            crowd.settle(all: true)
            return (crowd.lastArrival, ProcessUsage.thisThread)
        }
        sample()
        report.end(usage, generator: cpu, last: last)
    }

    private var editRate: Double {
        if case .rate(let rate) = settings.pace, settings.writers > 0 { rate } else { 0 }
    }

    private func meet(_ trouble: Troubles.Kind) throws(LoadFailure) {
        switch trouble {
        case .kill, .restart:
            report.watchForReturn(since: .now)
            guard let server else {
                return loop.perform { [crowd] in crowd.scatter() }
            }
            report.serverEnds(usage)
            server.end(with: trouble == .kill ? SIGKILL : SIGTERM)
            try server.start()
            report.serverIsBack()
        case .stall: loop.perform { [crowd] in crowd.stall(true) }
        }
    }

    private func sample() {
        let sample = loop.perform { [crowd] in crowd.sample() }
        report.add(sample, usage)
        if !settings.isQuiet { LiveLine.show(report) }
    }
}

/// When what happens to the server or the clients in a run.
struct Troubles {
    enum Kind: Equatable {
        case kill, restart, stall
    }

    private var planned: [(at: Moment, kind: Kind)] = []

    init(_ settings: Settings, from start: Moment) {
        let middle = start.adding(seconds: settings.seconds / 2)
        switch settings.scenario {
        case .chaos:
            var at = settings.killEvery
            while at < settings.seconds {
                planned.append((start.adding(seconds: at), .kill))
                at += settings.killEvery
            }
            // A run that is shorter than that is still to see one.
            if planned.isEmpty { planned = [(middle, .kill)] }
        case .storm: planned = [(start.adding(seconds: settings.seconds / 4), .restart)]
        case .slowReaders where settings.slow > 0: planned = [(middle, .stall)]
        default: break
        }
    }

    var next: Moment? { planned.first?.at }

    mutating func take(by now: Moment) -> Kind? {
        guard let first = planned.first, first.at <= now else { return nil }
        return planned.removeFirst().kind
    }
}
