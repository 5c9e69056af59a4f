/// Metrics as Prometheus reads them (text format 0.0.4). Each name is written once.
struct MetricsText {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    mutating func gauge(_ name: String, _ help: String, _ value: some BinaryInteger) {
        begin(name, "gauge", help)
        text += "\(name) \(value)\n"
    }

    mutating func gauge(_ name: String, _ help: String, seconds: Double) {
        begin(name, "gauge", help)
        text += "\(name) \(seconds)\n"
    }

    mutating func counter(_ name: String, _ help: String, _ value: UInt64) {
        begin(name, "counter", help)
        text += "\(name) \(value)\n"
    }

    mutating func counter(_ name: String, _ help: String, seconds: Double) {
        begin(name, "counter", help)
        text += "\(name) \(seconds)\n"
    }

    /// One line for each value of a label. Values are words of ours, never what others chose.
    mutating func counter(
        _ name: String, _ help: String, by label: String, _ values: [String: UInt64]
    ) {
        begin(name, "counter", help)
        for (word, value) in values.sorted(by: { $0.key < $1.key }) {
            text += "\(name){\(label)=\"\(word)\"} \(value)\n"
        }
    }

    mutating func histogram(_ name: String, _ help: String, _ histogram: Histogram) {
        begin(name, "histogram", help)
        var total: UInt64 = 0
        for (bound, count) in zip(histogram.bounds, histogram.counts) {
            total += count
            text += "\(name)_bucket{le=\"\(bound)\"} \(total)\n"
        }
        total += histogram.counts.last ?? 0
        text += "\(name)_bucket{le=\"+Inf\"} \(total)\n"
        text += "\(name)_sum \(histogram.sum)\n\(name)_count \(total)\n"
    }

    private mutating func begin(_ name: String, _ type: String, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }
}
