internal import ListServer

/// What `top` shows: two looks at the server, and what lies between.
struct TopTable {
    private let now: ServerStatus
    private let before: ServerStatus?

    /// - Parameter before: an earlier look, without which there are no rates.
    init(_ now: ServerStatus, since before: ServerStatus?) {
        self.now = now
        // Of another run of the server it says nothing.
        self.before = before?.figures.startedAt == now.figures.startedAt ? before : nil
    }

    /// Lines for a window of so many columns and lines; `nil`: all of them, as long as they are.
    func lines(columns: Int?, lines most: Int?, in folder: String) -> [String] {
        var lines = head(folder) + [""] + table
        if let most, lines.count > most, most > 0 {
            let left = lines.count - most + 1
            lines = lines.prefix(most - 1) + ["… \(left) more"]
        }
        guard let columns else { return lines }
        return lines.map { String($0.prefix(max(0, columns))) }
    }

    private func head(_ folder: String) -> [String] {
        let figures = now.figures
        let up = max(0, now.at.milliseconds - figures.startedAt) / 1_000
        let lag = "\(figures.lagEntries) entries, \(seconds(figures.lagMilliseconds)) s"
        return [
            "samelistd \(now.version)  \(folder)  up \(Self.age(up))  \(now.state)  "
                + Dates.text(now.at),
            "connections \(figures.connections), \(figures.connectionsBehind) behind   lists "
                + "\(figures.lists), \(figures.listsInMemory) in memory   subscriptions "
                + "\(figures.subscriptions), \(figures.subscriptionsBehind) behind",
            "a second: edits \(rate(\.edits))  entries \(rate(\.entries))  deliveries "
                + "\(rate(\.deliveries))  sent \(bytesRate(\.bytesOut))  received "
                + bytesRate(\.bytesIn),
            "furthest behind \(lag)   storage jobs \(figures.storageJobs)   failed appends "
                + "\(figures.appendFailures)   memory \(Self.size(Double(figures.memoryBytes)))   "
                + "processor \(processor) %",
        ]
    }

    /// Most telling columns first, since narrow windows lose the last.
    private var table: [String] {
        let titles = ["LIST", "ROWS", "OPEN", "ENTRIES/S", "BEHIND", "LAG", "WAITING", "VERSION"]
        let cells = busiest.map { list in
            [
                list.key, "\(list.rows)", "\(list.open)", Self.digits(entryRate(of: list)),
                "\(list.behind)", "\(list.lag)", "\(list.waiting)", "\(list.version)",
            ]
        }
        let widths = titles.indices.map { column in
            ([titles] + cells).map { $0[column].count }.max() ?? 0
        }
        return ([titles] + cells).map { row in
            row.enumerated().map { column, cell in
                let space = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 ? cell + space : space + cell
            }.joined(separator: "  ")
        }
    }

    private var busiest: [ServerStatus.List] {
        now.lists.sorted {
            (entryRate(of: $1), $1.open, $0.key) < (entryRate(of: $0), $0.open, $1.key)
        }
    }

    private var elapsed: Double {
        Double(now.at.milliseconds - (before?.at.milliseconds ?? now.at.milliseconds)) / 1_000
    }

    private func entryRate(of list: ServerStatus.List) -> Double {
        guard elapsed > 0, let old = before?.lists.first(where: { $0.key == list.key }) else {
            return 0
        }
        return Double(max(0, list.version - old.version)) / elapsed
    }

    private func perSecond(_ path: KeyPath<ServerStatus.Figures, Int64>) -> Double? {
        guard let before, elapsed > 0 else { return nil }
        return Double(max(0, now.figures[keyPath: path] - before.figures[keyPath: path])) / elapsed
    }

    private func rate(_ path: KeyPath<ServerStatus.Figures, Int64>) -> String {
        perSecond(path).map(Self.digits) ?? "-"
    }

    private func bytesRate(_ path: KeyPath<ServerStatus.Figures, Int64>) -> String {
        perSecond(path).map(Self.size) ?? "-"
    }

    /// Of one core.
    private var processor: String {
        perSecond(\.cpuMilliseconds).map { Self.digits($0 / 10) } ?? "-"
    }

    private func seconds(_ milliseconds: Int64) -> String {
        Self.digits(Double(milliseconds) / 1_000)
    }

    /// One digit behind the point where that says something.
    private static func digits(_ number: Double) -> String {
        if number >= 100 { return "\(Int64(number.rounded()))" }
        let tenths = Int64((number * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    private static func size(_ bytes: Double) -> String {
        var (number, units) = (bytes, ["B", "KiB", "MiB", "GiB"][...])
        while number >= 1_024, units.count > 1 {
            number /= 1_024
            units.removeFirst()
        }
        return "\(digits(number)) \(units.first ?? "")"
    }

    private static func age(_ seconds: Int64) -> String {
        let parts = [seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60].map {
            $0 < 10 ? "0\($0)" : "\($0)"
        }
        return (seconds >= 86_400 ? "\(seconds / 86_400) d " : "") + parts.joined(separator: ":")
    }
}
