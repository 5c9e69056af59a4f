internal import ProgramArguments

/// The user's configuration: keys with values, and contexts, each of which is a server with what
/// goes with it. Comments and order stay when it is changed.
///
///     context = work          # the one that is used where none is named
///     name = ana              # for all contexts
///
///     [work]
///     server = wss://lists.example.org
struct ConfigFile {
    struct Entry: Equatable {
        let key: Key
        let value: String
        let line: Int
    }

    enum Key: String, CaseIterable {
        case server
        case name
        case timeout
        case context
        case tokenFile = "token-file"
        case caFile = "ca-file"
    }

    private(set) var lines: [String]
    /// Above the first context.
    private(set) var general: [Entry] = []
    private(set) var contexts: [(name: String, line: Int, entries: [Entry])] = []
    private(set) var faults: [ConfigFault] = []

    init(_ text: String = "") {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        read()
    }

    var text: String { lines.map { $0 + "\n" }.joined() }

    func context(_ name: String) -> [Entry]? { contexts.first { $0.name == name }?.entries }

    private mutating func read() {
        general = []
        contexts = []
        faults = []
        for (index, raw) in lines.enumerated() {
            let number = index + 1
            switch ConfigLine(raw) {
            case .empty: break
            case .section(let name): begin(name, number)
            case .entry(let key, let value): take(key, value, number)
            case .other(let line):
                let word = ConfigFault.spelt(line)
                fault(number, "this line\(word) is no KEY = VALUE and no [CONTEXT].")
            }
        }
        if let chosen = general.last(where: { $0.key == .context }), context(chosen.value) == nil {
            fault(chosen.line, "there is no context \(masked(chosen.value)).")
        }
    }

    private mutating func begin(_ name: String, _ line: Int) {
        if !Self.isContextName(name) {
            fault(line, "\(masked(name)) is no name of a context: 1-64 of a-z A-Z 0-9 . _ -.")
        } else if context(name) != nil {
            fault(line, "the context \(name) is there twice.")
        }
        contexts.append((name, line, []))
    }

    private mutating func take(_ word: String, _ value: String, _ number: Int) {
        guard let key = Key(rawValue: word) else {
            let keys = Key.allCases.map(\.rawValue)
            return fault(
                number,
                ConfigFault.unknown(word, among: keys, secrets: "token-file names a file"))
        }
        let entry = Entry(key: key, value: value, line: number)
        if let sentence = Self.fault(of: entry) { return fault(number, sentence) }
        if contexts.isEmpty {
            general.append(entry)
        } else if key == .context {
            fault(number, "context stands above the first [CONTEXT].")
        } else {
            contexts[contexts.count - 1].entries.append(entry)
        }
    }

    private mutating func fault(_ line: Int, _ sentence: String) {
        faults.append(ConfigFault(line: line, sentence: sentence))
    }

    static func isContextName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count) && !name.hasPrefix("-")
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
                default: false
                }
            }
    }
}

/// Changes, which keep what people wrote around them.
extension ConfigFile {
    mutating func add(_ name: String, _ values: [(key: Key, value: String?)]) {
        if !lines.isEmpty, lines.last?.trimmed != "" { lines.append("") }
        lines.append("[\(name)]")
        for (key, value) in values {
            if let value { lines.append("\(key.rawValue) = \(value)") }
        }
        read()
    }

    mutating func use(_ name: String) {
        let line = "context = \(name)"
        if let old = general.last(where: { $0.key == .context }) {
            lines[old.line - 1] = line
        } else {
            lines.insert(line, at: general.last?.line ?? 0)
        }
        read()
    }

    mutating func remove(_ name: String) {
        guard let index = contexts.firstIndex(where: { $0.name == name }) else { return }
        let from = contexts[index].line - 1
        let to = index + 1 < contexts.count ? contexts[index + 1].line - 1 : lines.count
        lines.removeSubrange(from..<to)
        lines.removeAll { ConfigLine.withoutComment($0).filter { $0 != " " } == "context=\(name)" }
        read()
    }
}
