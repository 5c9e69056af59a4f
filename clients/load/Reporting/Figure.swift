/// The figures of a run, by the names under which they stand in JSON and can be compared.
enum Figure: String, CaseIterable, Sendable {
    case answersP50 = "answers_p50"
    case answersP90 = "answers_p90"
    case answersP95 = "answers_p95"
    case answersP99 = "answers_p99"
    case answersP999 = "answers_p99.9"
    case answersMax = "answers_max"
    case deliveryP50 = "delivery_p50"
    case deliveryP90 = "delivery_p90"
    case deliveryP95 = "delivery_p95"
    case deliveryP99 = "delivery_p99"
    case deliveryP999 = "delivery_p99.9"
    case deliveryMax = "delivery_max"
    case beforeP50 = "before_p50"
    case beforeP99 = "before_p99"
    case joinsP50 = "joins_p50"
    case joinsP90 = "joins_p90"
    case joinsP95 = "joins_p95"
    case joinsP99 = "joins_p99"
    case joinsP999 = "joins_p99.9"
    case joinsMax = "joins_max"
    case lateP99 = "late_p99"
    case lateMax = "late_max"
    case back = "all_back"
    case gathering = "gathering"

    case edits, deliveries, joins, refused, skipped, cuts, errors, restarts
    case failedConnects = "failed_connects"
    case gaps, doubled, diverged, lost, forgotten

    case editsPerSecond = "edits_per_s"
    case deliveriesPerSecond = "deliveries_per_s"

    case cpuPerDelivery = "server_cpu_per_delivery"
    case cpuPerEdit = "server_cpu_per_edit"
    case cpuPerJoin = "server_cpu_per_join"
    case cpuPerConnection = "server_cpu_per_connection"
    case cpuOfGathering = "server_cpu_of_gathering"
    case serverCPU = "server_cpu"
    case generatorCPU = "generator_cpu"
    case serverMemory = "server_memory"
    case memoryPerConnection = "server_memory_per_connection"
    case memoryPeak = "server_memory_peak"
    case bytesPerJoin = "bytes_per_join"

    var unit: Unit {
        switch self {
        case .answersP50, .answersP90, .answersP95, .answersP99, .answersP999, .answersMax,
            .deliveryP50, .deliveryP90, .deliveryP95, .deliveryP99, .deliveryP999, .deliveryMax,
            .beforeP50, .beforeP99, .joinsP50, .joinsP90, .joinsP95, .joinsP99, .joinsP999,
            .joinsMax, .lateP99, .lateMax, .back, .gathering, .cpuPerDelivery, .cpuPerEdit,
            .cpuPerJoin, .cpuPerConnection, .cpuOfGathering:
            .time
        case .serverMemory, .memoryPerConnection, .memoryPeak, .bytesPerJoin: .bytes
        case .serverCPU, .generatorCPU: .share
        default: .count
        }
    }

    static let answers = [answersP50, answersP90, answersP95, answersP99, answersP999, answersMax]
    static let delivery = [
        deliveryP50, deliveryP90, deliveryP95, deliveryP99, deliveryP999, deliveryMax,
    ]
    static let joining = [joinsP50, joinsP90, joinsP95, joinsP99, joinsP999, joinsMax]

    /// What those six are percentiles of, in percent; the longest is all of them.
    static let percents = [50, 90, 95, 99, 99.9, 100]
}

/// In what a figure is counted: seconds, bytes, shares of one core, or just counted.
enum Unit: Sendable {
    case time, bytes, share, count

    private var suffixes: [(String, Double)] {
        switch self {
        case .time: [("us", 1e-6), ("ms", 1e-3), ("s", 1)]
        case .bytes: [("KiB", 1_024), ("MiB", 1_048_576), ("KB", 1e3), ("MB", 1e6), ("B", 1)]
        case .share: [("%", 0.01)]
        case .count: [("", 1)]
        }
    }

    /// For the sentence about one that cannot be read.
    var example: String {
        switch self {
        case .time: "a time: 250us, 200ms, 1.5s"
        case .bytes: "an amount: 7KB, 60MB, 256KiB"
        case .share: "a share of one core: 80%"
        case .count: "a number: 0"
        }
    }

    func read(_ text: String) -> Double? {
        for (suffix, factor) in suffixes where text.hasSuffix(suffix) {
            if let number = Double(text.dropLast(suffix.count)), number.isFinite {
                return number * factor
            }
        }
        return nil
    }

    func show(_ value: Double) -> String {
        switch self {
        case .time: Shown.time(value)
        case .bytes: Shown.bytes(value)
        case .share: "\(Shown.number(value * 100)) %"
        case .count: Shown.number(value)
        }
    }
}
