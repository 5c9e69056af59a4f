internal import Glibc

/// A line a second on a terminal, while a run goes on.
enum LiveLine {
    static func show(_ report: Report) {
        guard isatty(STDERR_FILENO) == 1, let second = report.seconds.last else { return }
        let line = text(second) + "\n"
        let bytes = Array(line.utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }

    static func text(_ second: Report.Second) -> String {
        let figures = second.figures
        var parts = [
            "\(Shown.fixed(second.time, 0)) s",
            "\(rate(figures.edits, second)) edits/s",
            "\(rate(figures.delivered, second)) deliveries/s",
        ]
        for (name, histogram) in [
            ("answers", figures.answers), ("delivery", second.delivery), ("joins", figures.joins),
        ] {
            guard let time = histogram.percentile(99) else { continue }
            parts.append("\(name) p99 \(Shown.time(Double(time) / 1e9))")
        }
        parts.append("\(second.live) there")
        if second.unanswered > 0 { parts.append("\(second.unanswered) unanswered") }
        if let cpu = second.serverCPU { parts.append("server \(Unit.share.show(cpu))") }
        parts.append("generator \(Unit.share.show(second.generatorCPU))")
        return parts.joined(separator: "  ")
    }

    private static func rate(_ count: Int, _ second: Report.Second) -> String {
        Shown.number((Double(count) / second.length).rounded())
    }
}
