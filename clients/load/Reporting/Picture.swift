internal import Glibc

/// A run as a picture in SVG: three panels over time, latencies on a logarithmic axis.
struct Picture {
    private struct Curve {
        let name: String
        let colour: String
        let points: [(x: Double, y: Double)]
    }

    private static let width = 860.0
    private static let height = 200.0
    private static let left = 80.0
    private static let right = 170.0
    private static let colours = ["#1b6ca8", "#c8553d", "#588157", "#8d6a9f", "#b08900"]

    private let report: Report
    private let longest: Double

    init(_ report: Report) {
        self.report = report
        longest = max(report.seconds.last?.time ?? 1, 0.001)
    }

    var svg: String {
        let panels = [
            panel("a second", rates, at: 0, isLogarithmic: true, Shown.number),
            panel("milliseconds", times, at: 1, isLogarithmic: true, Shown.number),
            panel("% of a core", shares, at: 2, isLogarithmic: false, Shown.number),
        ]
        let total = 3 * (Self.height + 60) + 50
        let title =
            "samelist-load \(report.settings.scenario.rawValue), \(report.settings.clients) "
            + "clients, \(report.settings.writers) writers, \(report.settings.paceWords)"
        let size = "width=\"\(Int(Self.left + Self.width + Self.right))\" height=\"\(Int(total))\""
        return """
            <svg xmlns="http://www.w3.org/2000/svg" \(size) font-family="sans-serif" font-size="12">
            <rect width="100%" height="100%" fill="white"/>
            \(text(title, Self.left, 24, size: 15))
            \(panels.joined(separator: "\n"))
            </svg>

            """
    }

    private var rates: [Curve] {
        [
            curve("edits", 0) { Double($0.figures.edits) / $0.length },
            curve("deliveries", 1) { Double($0.figures.delivered) / $0.length },
            curve("joins", 2) { Double($0.figures.joins.count) / $0.length },
        ]
    }

    private var times: [Curve] {
        func milliseconds(_ histogram: Histogram, _ percent: Double) -> Double? {
            histogram.percentile(percent).map { Double($0) / 1e6 }
        }
        return [
            curve("answers p50", 0) { milliseconds($0.figures.answers, 50) },
            curve("answers p99", 1) { milliseconds($0.figures.answers, 99) },
            curve("delivery p50", 2) { milliseconds($0.delivery, 50) },
            curve("delivery p99", 3) { milliseconds($0.delivery, 99) },
            curve("joins p99", 4) { milliseconds($0.figures.joins, 99) },
        ]
    }

    private var shares: [Curve] {
        [
            curve("server", 0) { $0.serverCPU.map { $0 * 100 } },
            curve("generator", 1) { $0.generatorCPU * 100 },
        ]
    }

    private func curve(
        _ name: String, _ colour: Int, _ value: (Report.Second) -> Double?
    ) -> Curve {
        let points = report.seconds.compactMap { second in
            value(second).map { (x: second.time, y: $0) }
        }
        return Curve(name: name, colour: Self.colours[colour], points: points)
    }

    private func panel(
        _ unit: String, _ curves: [Curve], at index: Int, isLogarithmic: Bool,
        _ show: (Double) -> String
    ) -> String {
        let curves = curves.filter { curve in curve.points.contains { $0.y > 0 } }
        let values = curves.flatMap { $0.points.map(\.y) }.filter { $0 > 0 }
        let axis = Axis(values, isLogarithmic: isLogarithmic)
        let top = 50 + Double(index) * (Self.height + 60)
        var parts = axis.marks.map { mark in
            let y = top + Self.height * (1 - axis.place(mark))
            return line(Self.left, y, Self.left + Self.width, y, "#dddddd")
                + text(show(mark), Self.left - 8, y + 4, end: true)
        }
        parts.append(text(unit, Self.left, top - 8))
        for (row, curve) in curves.enumerated() {
            parts.append(path(curve, axis, top))
            let y = top + 14 + Double(row) * 18
            parts.append(
                text(curve.name, Self.left + Self.width + 12, y, colour: curve.colour))
        }
        let bottom = top + Self.height
        parts.append(text("0", Self.left, bottom + 16))
        parts.append(
            text("\(Shown.number(longest)) s", Self.left + Self.width, bottom + 16, end: true))
        return parts.joined(separator: "\n")
    }

    private func path(_ curve: Curve, _ axis: Axis, _ top: Double) -> String {
        let points = curve.points.filter { !axis.isLogarithmic || $0.y > 0 }.map { point in
            let x = Self.left + Self.width * point.x / longest
            let y = top + Self.height * (1 - axis.place(point.y))
            return "\(Shown.fixed(x, 1)),\(Shown.fixed(y, 1))"
        }
        return
            "<polyline fill=\"none\" stroke=\"\(curve.colour)\" stroke-width=\"1.5\" points=\""
            + points.joined(separator: " ") + "\"/>"
    }

    private func line(
        _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ colour: String
    ) -> String {
        "<line x1=\"\(Shown.fixed(x1, 1))\" y1=\"\(Shown.fixed(y1, 1))\" "
            + "x2=\"\(Shown.fixed(x2, 1))\" y2=\"\(Shown.fixed(y2, 1))\" stroke=\"\(colour)\"/>"
    }

    private func text(
        _ words: String, _ x: Double, _ y: Double, end: Bool = false, size: Int = 12,
        colour: String = "#333333"
    ) -> String {
        "<text x=\"\(Shown.fixed(x, 1))\" y=\"\(Shown.fixed(y, 1))\" font-size=\"\(size)\" "
            + "fill=\"\(colour)\"\(end ? " text-anchor=\"end\"" : "")>\(words)</text>"
    }
}

/// An axis with marks: from 0, or over powers of ten.
struct Axis {
    let isLogarithmic: Bool
    let marks: [Double]

    init(_ values: [Double], isLogarithmic: Bool) {
        self.isLogarithmic = isLogarithmic
        let most = values.max() ?? 1
        if isLogarithmic {
            var low = 1e-3
            while low * 10 <= values.min() ?? 1 { low *= 10 }
            var marks = [low]
            while let last = marks.last, last < most { marks.append(last * 10) }
            if marks.count == 1 { marks.append(low * 10) }
            self.marks = marks
        } else {
            let step = [5, 10, 20, 25, 50, 100].first { $0 * 4 >= most } ?? most / 4
            marks = (0...4).map { Double($0) * step }
        }
    }

    /// From 0 at the bottom to 1 at the top.
    func place(_ value: Double) -> Double {
        guard let low = marks.first, let high = marks.last, high > low else { return 0 }
        guard isLogarithmic else { return min(1, max(0, (value - low) / (high - low))) }
        return min(1, max(0, log10(max(value, low) / low) / log10(high / low)))
    }
}
