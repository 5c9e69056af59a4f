internal import ProgramArguments

/// A figure that must not be reached: `delivery_p99>200ms`.
struct Gate: Equatable, Sendable {
    enum Comparison: String, CaseIterable, Sendable {
        case atLeast = ">="
        case atMost = "<="
        case above = ">"
        case below = "<"

        func holds(_ left: Double, _ right: Double) -> Bool {
            switch self {
            case .atLeast: left >= right
            case .atMost: left <= right
            case .above: left > right
            case .below: left < right
            }
        }
    }

    /// As it was given, for the sentence that says that it holds.
    let text: String
    let figure: Figure
    let comparison: Comparison
    /// In the figure's own unit.
    let limit: Double

    init(_ text: String) throws(UsageError) {
        self.text = text
        let compact = text.filter { $0 != " " }
        guard
            let (comparison, place) = Comparison.allCases.lazy
                .compactMap({ sign in compact.firstRange(of: sign.rawValue).map { (sign, $0) } })
                .first
        else {
            throw UsageError(
                "--fail-if takes FIGURE>LIMIT, as 'delivery_p99>200ms', not \(masked(text)).")
        }
        self.comparison = comparison
        let name = String(compact[..<place.lowerBound])
        guard let figure = Figure(rawValue: name) else {
            let advice = suggestion(for: name, among: Figure.allCases.map(\.rawValue))
            throw UsageError(
                "there is no figure \(masked(name)). "
                    + (advice.map { "Did you mean \($0)?" } ?? "See samelist-load --help."))
        }
        self.figure = figure
        guard let limit = figure.unit.read(String(compact[place.upperBound...])) else {
            throw UsageError(
                "\(masked(text)): \(name) is compared with \(figure.unit.example).")
        }
        self.limit = limit
    }

    /// Whether the run has failed by it: also where the figure was not measured.
    func isHit(by value: Double?) -> Bool {
        value.map { comparison.holds($0, limit) } ?? true
    }
}
