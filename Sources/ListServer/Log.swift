import Glibc

/// The server's log: one line of `key=value` pairs (logfmt) an event, never with a row's text.
package struct Log: Sendable {
    package enum Level: String, Sendable, CaseIterable, Comparable {
        case debug, info, warning, error

        package static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .debug: 0
            case .info: 1
            case .warning: 2
            case .error: 3
            }
        }
    }

    /// Events below it are not written.
    package let level: Level
    private let sink: @Sendable (String) -> Void

    /// `sink` gets lines without their ends, on any thread.
    package init(_ level: Level, to sink: @escaping @Sendable (String) -> Void) {
        self.level = level
        self.sink = sink
    }

    /// Lines on standard error, each in one write so that threads do not mix theirs.
    package static func standardError(_ level: Level) -> Log {
        Log(level) { line in
            let bytes = Array((line + "\n").utf8)
            _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
        }
    }

    /// Says nothing.
    package static let silent = Log(.error) { _ in }

    package func callAsFunction(
        _ level: Level, _ event: String, _ pairs: KeyValuePairs<String, String> = [:]
    ) {
        guard level >= self.level else { return }
        var line = "time=\(timestamp()) level=\(level.rawValue) event=\(event)"
        for (key, value) in pairs { line += " \(key)=\(quoted(value))" }
        sink(line)
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

    /// In quotes where a reader could take it for something else; control characters are masked,
    /// since some of what is logged was chosen by strangers.
    private func quoted(_ value: String) -> String {
        let plain = value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x3D }
        if plain, !value.isEmpty { return value }
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
