/// Metrics read back strictly, as the text format 0.0.4 says they are; whatever is not so throws.
struct PrometheusText {
    private(set) var values: [String: Double] = [:]
    private var types: [String: String] = [:]
    private var helped: Set<String> = []
    /// The family that is being read: each stands in one piece.
    private var family = ""

    init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Unexpected("the last line has no end") }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            let words = line.split(separator: " ", maxSplits: 3).map(String.init)
            if line.hasPrefix("# HELP "), words.count == 4 {
                guard helped.insert(words[2]).inserted else { throw Unexpected("again: \(line)") }
                family = words[2]
            } else if line.hasPrefix("# TYPE "), words.count == 4, words[2] == family,
                ["counter", "gauge", "histogram"].contains(words[3])
            {
                types[family] = words[3]
            } else {
                try sample(String(line))
            }
        }
        for (name, type) in types where type == "histogram" { try check(name) }
    }

    private mutating func sample(_ line: String) throws {
        let pattern = /([a-z_]+)(\{[a-z]+="[^"\\\n]*"\})? ([-+.0-9e]+)/
        guard let found = line.wholeMatch(of: pattern), let value = Double(found.3) else {
            throw Unexpected("no sample: \(line)")
        }
        var name = String(found.1)
        if types[family] == "histogram" {
            for end in ["_bucket", "_sum", "_count"] where name == family + end { name = family }
        }
        guard name == family, types[family] != "counter" || name.hasSuffix("_total") else {
            throw Unexpected("out of place: \(line)")
        }
        let key = String(found.1) + String(found.2 ?? "")
        guard values.updateValue(value, forKey: key) == nil else {
            throw Unexpected("twice: \(line)")
        }
    }

    /// Steps only grow, and the last is all.
    private func check(_ name: String) throws {
        let prefix = "\(name)_bucket{le=\""
        let steps = values.filter { $0.key.hasPrefix(prefix) }.map { key, value in
            (Double(key.dropFirst(prefix.count).dropLast(2).description) ?? .nan, value)
        }.sorted { $0.0 < $1.0 }
        let counts = steps.map(\.1)
        guard steps.last?.0 == .infinity, counts == counts.sorted(), counts.count > 2,
            counts.last == values["\(name)_count"], values["\(name)_sum"] != nil
        else { throw Unexpected("\(name) is no histogram: \(steps)") }
    }
}
