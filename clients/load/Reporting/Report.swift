/// What a run has come to, while it goes on and when it is over.
struct Report: Sendable {
    /// What one sample says; a line of CSV, a point of the picture.
    struct Second: Sendable {
        /// Since the timed part began.
        var time: Double
        var length: Double
        var figures: Figures
        var live: Int
        var unanswered: Int
        /// Of one core; `nil` where the process is not known.
        var serverCPU: Double?
        var memory: Double?
        var generatorCPU: Double
    }

    let settings: Settings
    let port: UInt16
    var total = Figures()
    var seconds: [Second] = []
    var flaws = FlawTally()
    var complaints: [String] = []
    /// Whether everybody had everything in the end.
    var isComplete = false
    var proofSeconds = 0.0
    /// Versions whose snapshots were not compared, for want of memory.
    var unproven = 0
    private var values: [Figure: Double] = [:]
    private var begun = Moment.now
    private var ended = Moment.now
    private var lastSample = Moment.now
    private var serverCPU: UInt64 = 0
    private var countedFrom: UInt64 = 0
    private var lastServerCPU: UInt64 = 0
    private var firstGeneratorCPU: UInt64 = 0
    private var lastGeneratorCPU: UInt64 = 0
    private var knowsServer = false
    /// The outage that not everybody has come back from yet.
    private var outage: Moment?

    init(_ settings: Settings, server port: UInt16) {
        self.settings = settings
        self.port = port
    }

    /// `nil` where it was not measured.
    subscript(figure: Figure) -> Double? {
        get { values[figure] }
        set { values[figure] = newValue }
    }

    /// The timed part begins.
    mutating func begin(_ usage: ProcessUsage?, generator: UInt64, at now: Moment = .now) {
        begun = now
        lastSample = begun
        knowsServer = usage != nil
        countedFrom = usage?.cpu ?? 0
        lastServerCPU = countedFrom
        firstGeneratorCPU = generator
        lastGeneratorCPU = generator
    }

    /// The server is about to be ended; another process takes its place.
    mutating func serverEnds(_ usage: ProcessUsage?) {
        serverCPU += (usage?.cpu ?? countedFrom) - countedFrom
        values[.restarts] = (values[.restarts] ?? 0) + 1
    }

    mutating func serverIsBack() {
        countedFrom = 0
        lastServerCPU = 0
    }

    /// Everybody was cut, and is expected back.
    mutating func watchForReturn(since moment: Moment) { outage = moment }

    mutating func add(_ sample: Crowd.Sample, _ usage: ProcessUsage?, at now: Moment = .now) {
        let length = max(1e-6, now.seconds(since: lastSample))
        lastSample = now
        var second = Second(
            time: now.seconds(since: begun), length: length, figures: sample.figures,
            live: sample.live, unanswered: sample.unanswered,
            generatorCPU: share(sample.cpu, lastGeneratorCPU, length))
        if let usage {
            second.serverCPU = share(usage.cpu, lastServerCPU, length)
            second.memory = Double(usage.memory)
            lastServerCPU = usage.cpu
            values[.memoryPeak] = max(values[.memoryPeak] ?? 0, Double(usage.memory))
        }
        lastGeneratorCPU = sample.cpu
        total.add(sample.figures)
        append(second)
        if let outage, sample.live == settings.clients + settings.idle, sample.lastJoin > outage {
            values[.back] = max(values[.back] ?? 0, sample.lastJoin.seconds(since: outage))
            self.outage = nil
        }
    }

    /// What came just behind a second is part of it: shares of a moment say nothing.
    private mutating func append(_ second: Second) {
        guard second.length < 0.2, let last = seconds.indices.last else {
            return seconds.append(second)
        }
        seconds[last].figures.add(second.figures)
        seconds[last].live = second.live
        seconds[last].unanswered = second.unanswered
    }

    private func share(_ cpu: UInt64, _ before: UInt64, _ seconds: Double) -> Double {
        Double(cpu > before ? cpu - before : 0) / 1e9 / seconds
    }

    /// Everybody has everything; the last of it came at `last`.
    mutating func end(_ usage: ProcessUsage?, generator: UInt64, last: Moment) {
        ended = max(last, begun.adding(seconds: settings.seconds))
        let length = max(1e-6, ended.seconds(since: begun))
        values[.edits] = Double(total.edits)
        values[.deliveries] = Double(total.delivered)
        values[.editsPerSecond] = Double(total.edits) / length
        values[.deliveriesPerSecond] = Double(total.delivered) / length
        values[.refused] = Double(total.refused)
        values[.skipped] = Double(total.skipped)
        values[.cuts] = Double(total.cuts)
        values[.errors] = Double(total.errors)
        values[.failedConnects] = Double(total.failedConnects)
        values[.generatorCPU] = share(generator, firstGeneratorCPU, length)
        note(total.answers, Figure.answers)
        note(total.deliveries, Figure.delivery)
        note(total.joins, Figure.joining)
        note(total.before, [.beforeP50, .beforeP99], [50, 99])
        note(total.late, [.lateP99, .lateMax], [99, 100])
        if total.joins.count > 0 { values[.joins] = Double(total.joins.count) }
        if knowsServer, let usage { noteServer(usage, length) }
        if total.edits == 0, total.joins.count > 0 {
            values[.bytesPerJoin] = Double(total.bytes) / Double(total.joins.count)
        }
    }

    private mutating func noteServer(_ usage: ProcessUsage, _ length: Double) {
        let cpu = Double(serverCPU + usage.cpu - min(countedFrom, usage.cpu)) / 1e9
        values[.serverCPU] = cpu / length
        values[.serverMemory] = Double(usage.memory)
        if total.edits > 0 {
            values[.cpuPerEdit] = cpu / Double(total.edits)
            if total.delivered > 0 { values[.cpuPerDelivery] = cpu / Double(total.delivered) }
        } else if total.joins.count > 0 {
            values[.cpuPerJoin] = cpu / Double(total.joins.count)
        }
    }

    private mutating func note(
        _ histogram: Histogram, _ figures: [Figure], _ percents: [Double] = Figure.percents
    ) {
        for (figure, percent) in zip(figures, percents) {
            values[figure] = histogram.percentile(percent).map { Double($0) / 1e9 }
        }
    }

    /// What the proof came to.
    mutating func note(_ proof: (flaws: FlawTally, complaints: [String], unproven: Int)) {
        (flaws, complaints, unproven) = proof
        values[.gaps] = Double(flaws.gaps)
        values[.doubled] = Double(flaws.doubled)
        values[.diverged] = Double(flaws.diverged)
        values[.lost] = Double(flaws.lost)
        values[.forgotten] = Double(flaws.forgotten)
    }

    /// The gates that are hit, as they were given, with the figure.
    var hitGates: [String] {
        settings.gates.filter { $0.isHit(by: self[$0.figure]) }.map { gate in
            let value = self[gate.figure].map(gate.figure.unit.show) ?? "not measured"
            return "\(gate.text): it is \(value)"
        }
    }

    /// Whether every client has exactly what the server has.
    var isProved: Bool { isComplete && flaws.isClean }

    /// As the process ends.
    var exitCode: Int32 { !isProved ? 1 : hitGates.isEmpty ? 0 : 99 }
}
