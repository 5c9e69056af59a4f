internal import Glibc
internal import ListModel
internal import Samelist

/// How far a long verb is, on a terminal only. Ctrl-C says where it stopped.
@MainActor
final class Progress {
    private let total: Int
    private let output: Output
    private let isSeen: Bool
    private var shownAt = Timestamp.zero

    /// At most one line in so many milliseconds.
    private static let pause: Int64 = 100
    /// What takes less is not worth a line.
    private static let least = 2_000

    init(of total: Int, _ output: Output) {
        self.total = total
        self.output = output
        isSeen =
            StandardStreams.isTerminal(STDERR_FILENO) && !output.isJSON && !output.isQuiet
            && total >= Self.least
    }

    func begin() {
        tell(0)
    }

    func tell(_ count: Int) {
        Self.respond(imported: count, of: total, output)
        guard isSeen, WallClock.now >= shownAt.adding(milliseconds: Self.pause) else { return }
        shownAt = WallClock.now
        write("\r\(count) of \(total) rows\u{1B}[K")
    }

    func end() {
        if isSeen { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) {
        StandardStreams.write(Array(text.utf8), to: STDERR_FILENO)
    }

    private nonisolated static func respond(imported count: Int, of total: Int, _ output: Output) {
        Signals.shared.respond { signal in
            guard signal == SIGINT || signal == SIGTERM else { return false }
            output.failure(
                Failure(
                    .interrupted, "interrupted",
                    "stopped: the first \(count) of \(total) rows are imported, and up to "
                        + "\(4 * Limits().operations) more that were on their way."))
            return false
        }
    }
}
