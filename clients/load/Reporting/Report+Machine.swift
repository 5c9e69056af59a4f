internal import ListModel
internal import ListProtocol

/// The report as programs read it.
extension Report {
    /// One object: times in seconds, CPU as shares of one core, memory in bytes.
    var json: [UInt8] {
        var members: [String: Value] = [
            "v": .int(1), "scenario": .text(settings.scenario.rawValue),
            "clients": .int(Int64(settings.clients)), "writers": .int(Int64(settings.writers)),
            "idle": .int(Int64(settings.idle)), "lists": .int(Int64(settings.lists)),
            "rows": .int(Int64(settings.rows)), "bytes": .int(Int64(settings.bytes)),
            "seconds": Value.number(settings.seconds) ?? .null,
            "pace": .text(settings.paceWords), "proved": .bool(isProved),
            "flaws": .array(flaws.sentences.map(Value.text)),
            "complaints": .array(complaints.map(Value.text)),
            "failed": .array(hitGates.map(Value.text)),
        ]
        if let bottleneck { members["bottleneck"] = .text(bottleneck) }
        var figures: [String: Value] = [:]
        for figure in Figure.allCases {
            guard let value = self[figure], let number = Value.number(value) else { continue }
            figures[figure.rawValue] = number
        }
        members["figures"] = .object(figures)
        return MessageEncoder.encode(.object(members)) + [0x0A]
    }

    /// A head and a line a second; times in milliseconds.
    var csv: String {
        let head =
            "time_s,edits,deliveries,joins,live,unanswered,answers_p50_ms,answers_p99_ms,"
            + "answers_max_ms,delivery_p50_ms,delivery_p99_ms,delivery_max_ms,joins_p50_ms,"
            + "joins_max_ms,late_p99_ms,server_cpu,server_memory_bytes,generator_cpu\n"
        return head
            + seconds.map { second in
                let figures = second.figures
                let counts = [
                    Shown.fixed(second.time, 3), "\(figures.edits)", "\(figures.delivered)",
                    "\(figures.joins.count)", "\(second.live)", "\(second.unanswered)",
                ]
                let delivery = second.delivery
                let times = [
                    Self.milliseconds(figures.answers, 50), Self.milliseconds(figures.answers, 99),
                    Self.milliseconds(figures.answers, 100), Self.milliseconds(delivery, 50),
                    Self.milliseconds(delivery, 99), Self.milliseconds(delivery, 100),
                    Self.milliseconds(figures.joins, 50), Self.milliseconds(figures.joins, 100),
                    Self.milliseconds(figures.late, 99),
                ]
                let usage = [
                    second.serverCPU.map { Shown.fixed($0, 4) } ?? "",
                    second.memory.map { Shown.fixed($0, 0) } ?? "",
                    Shown.fixed(second.generatorCPU, 4),
                ]
                return (counts + times + usage).joined(separator: ",") + "\n"
            }.joined()
    }

    private static func milliseconds(_ histogram: Histogram, _ percent: Double) -> String {
        histogram.percentile(percent).map { Shown.fixed(Double($0) / 1e6, 3) } ?? ""
    }
}

extension Report.Second {
    /// Of all edits, whether some clients had stopped reading by then or not.
    var delivery: Histogram {
        var all = figures.deliveries
        all.add(figures.before)
        return all
    }
}
