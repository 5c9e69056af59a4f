/// The report as people read it.
extension Report {
    var text: String {
        var lines = [title]
        lines.append(entry("edits", counts))
        lines += percentiles
        if let server { lines.append(entry("server", server)) }
        lines.append(entry("generator", generator))
        lines += proof
        lines += hitGates.map { entry("fail-if", $0) }
        return lines.joined(separator: "\n")
    }

    private var title: String {
        let idle = settings.idle > 0 ? " and \(settings.idle) idle ones" : ""
        return
            "\(settings.scenario.rawValue): \(settings.clients) clients\(idle), "
            + "\(settings.writers) writers, \(settings.lists) lists of \(settings.rows) rows, "
            + "\(settings.bytes) bytes, \(settings.paceWords), "
            + "\(Shown.number(settings.seconds)) s"
    }

    private func entry(_ name: String, _ text: String) -> String {
        name + String(repeating: " ", count: max(1, 12 - name.count)) + text
    }

    private func shown(_ figure: Figure) -> String { self[figure].map(figure.unit.show) ?? "-" }

    private var counts: String {
        var text =
            "\(shown(.edits)) logged, \(shown(.editsPerSecond))/s; \(shown(.deliveries)) "
            + "deliveries, \(shown(.deliveriesPerSecond))/s"
        for (figure, word) in [
            (Figure.refused, "refused"), (.skipped, "operations skipped"), (.cuts, "cut off"),
            (.failedConnects, "connects failed"), (.restarts, "restarts"),
        ] where self[figure] ?? 0 > 0 {
            text += ", \(shown(figure)) \(word)"
        }
        return text
    }

    private var percentiles: [String] {
        let rows: [(String, [Figure])] = [
            ("answers", Figure.answers), ("delivery", Figure.delivery),
            ("joins", Figure.joining),
        ]
        var lines = rows.compactMap { name, figures -> String? in
            guard let first = figures.first, self[first] != nil else { return nil }
            let names = ["p50", "p90", "p95", "p99", "p99.9", "max"]
            let shown = zip(names, figures).map { "\($0) \(self.shown($1))" }
            return entry(name, shown.joined(separator: "  "))
        }
        if self[.beforeP99] != nil {
            lines.append(
                entry(
                    "before",
                    "p50 \(shown(.beforeP50))  p99 \(shown(.beforeP99))  delivery while "
                        + "everybody read"))
        }
        if self[.back] != nil { lines.append(entry("all back", "in \(shown(.back))")) }
        return lines
    }

    private var server: String? {
        guard self[.serverCPU] != nil else { return nil }
        var parts = ["\(shown(.serverCPU)) of a core"]
        for (figure, word) in [
            (Figure.cpuPerDelivery, "a delivery"), (.cpuPerEdit, "an edit"),
            (.cpuPerJoin, "a join"), (.cpuPerConnection, "to take a connection in"),
        ] where self[figure] != nil {
            parts.append("\(shown(figure)) \(word)")
        }
        parts.append("\(shown(.serverMemory)) of memory")
        if self[.memoryPerConnection] != nil {
            parts.append("\(shown(.memoryPerConnection)) a connection")
        }
        return parts.joined(separator: ", ")
    }

    private var generator: String {
        let late = self[.lateP99] == nil ? "" : ", late by \(shown(.lateP99)) at p99"
        return "\(shown(.generatorCPU)) of a core\(late)" + (bottleneck.map { ": " + $0 } ?? "")
    }

    /// Why the figures may be the generator's own, in words.
    var bottleneck: String? {
        if let share = self[.generatorCPU], share > 0.85 {
            return "it was the bottleneck; the server could have done more"
        }
        if let late = self[.lateP99], late > 0.005 {
            return "it could not keep to its schedule; take fewer clients or a lower rate"
        }
        return nil
    }

    private var proof: [String] {
        let clients = settings.clients + settings.idle + settings.lists
        var lines = [
            entry(
                "proof",
                (isProved ? "every client has the server's rows" : "FAILED")
                    + " (\(clients) clients, a fresh join for each list): "
                    + [Figure.lost, .doubled, .diverged, .gaps, .forgotten]
                    .map { "\(shown($0)) \($0.rawValue)" }.joined(separator: ", "))
        ]
        if !isComplete { lines.append("  not everybody had everything in time") }
        lines += flaws.sentences.map { "  " + $0 }
        if unproven > 0 {
            lines.append("  the rows of \(unproven) snapshots were not compared: too many to keep")
        }
        lines += complaints.map { "  the server said: " + $0 }
        return lines
    }
}
