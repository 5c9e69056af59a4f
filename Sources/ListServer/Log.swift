import Glibc
internal import Synchronization

/// The server's log: a line an event, never with a row's text.
package struct Log: Sendable {
    package enum Level: String, Sendable, CaseIterable, Comparable {
        case debug, info, warning, error

        package static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

        fileprivate var rank: Int {
            switch self {
            case .debug: 0
            case .info: 1
            case .warning: 2
            case .error: 3
            }
        }
    }

    package enum Format: String, Sendable {
        /// `key=value` pairs.
        case logfmt
        /// An object.
        case json
    }

    private final class Threshold: Sendable {
        let rank: Atomic<Int>
        init(_ level: Level) { rank = Atomic(level.rank) }
    }

    /// Events below it are not written. Shared by all copies.
    private let threshold: Threshold
    private let format: Format
    private let sink: @Sendable (String) -> Void

    /// `sink` gets lines without their ends, on any thread.
    package init(
        _ level: Level, _ format: Format = .logfmt, to sink: @escaping @Sendable (String) -> Void
    ) {
        threshold = Threshold(level)
        self.format = format
        self.sink = sink
    }

    /// From now on, for all who write by it.
    package func set(_ level: Level) { threshold.rank.store(level.rank, ordering: .relaxed) }

    /// Lines on standard error, each in one write so that threads do not mix theirs.
    package static func standardError(_ level: Level, _ format: Format = .logfmt) -> Log {
        Log(level, format) { line in
            let bytes = Array((line + "\n").utf8)
            _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
        }
    }

    /// Says nothing.
    package static let silent = Log(.error) { _ in }

    /// Whether events of a level are written.
    func tells(_ level: Level) -> Bool {
        level.rank >= threshold.rank.load(ordering: .relaxed)
    }

    package func callAsFunction(
        _ level: Level, _ event: String, _ pairs: KeyValuePairs<String, String> = [:]
    ) {
        write(level, event, pairs.map { ($0.key, $0.value) })
    }

    func write(_ level: Level, _ event: String, _ pairs: [(String, String)]) {
        guard tells(level) else { return }
        let all = [("time", timestamp()), ("level", level.rawValue), ("event", event)] + pairs
        switch format {
        case .logfmt:
            sink(all.map { "\($0.0)=\(plain($0.1) ? $0.1 : quoted($0.1))" }.joined(separator: " "))
        case .json:
            let members = all.map { "\(quoted($0.0)):\(quoted($0.1))" }
            sink("{" + members.joined(separator: ",") + "}")
        }
    }

    /// `2026-01-31T12:00:00.000Z`
    private func timestamp() -> String {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        var parts = tm()
        gmtime_r(&time.tv_sec, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S", &parts)
        let milliseconds = String(1_000 + time.tv_nsec / 1_000_000).dropFirst()
        return String(decoding: text.prefix(count).map(UInt8.init), as: UTF8.self)
            + ".\(milliseconds)Z"
    }

    /// Whether nobody could take it for something else.
    private func plain(_ value: String) -> Bool {
        !value.isEmpty
            && value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x3D }
    }

    /// In quotes, as JSON has them too; control characters are masked, since some of what is
    /// logged was chosen by strangers.
    private func quoted(_ value: String) -> String {
        var text = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "\n": text += "\\n"
            case _ where scalar.properties.generalCategory.isControl: text += "\u{FFFD}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return "\"\(text)\""
    }
}

extension Unicode.GeneralCategory {
    fileprivate var isControl: Bool { self == .control || self == .format }
}
