import Glibc
internal import ProgramArguments

/// The server's configuration file: `key = value` lines, a key for each flag of `serve`.
struct ServerConfig {
    struct Entry: Equatable {
        let value: String
        let line: Int
    }

    /// Read if it is there, where no other file is named.
    static let usualFile = "/etc/samelist/samelistd.conf"

    let file: String
    private(set) var entries: [String: Entry] = [:]
    private(set) var faults: [ConfigFault] = []

    init(_ text: String, file: String) {
        self.file = file
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() { take(String(line), index + 1) }
    }

    /// - Parameter isNeeded: otherwise a file that is not there says nothing.
    static func read(_ file: String, isNeeded: Bool = true) throws(UsageError) -> ServerConfig {
        do {
            return ServerConfig(String(decoding: try bytes(of: file), as: UTF8.self), file: file)
        } catch {
            if !isNeeded, error.number == ENOENT || error.number == ENOTDIR {
                return ServerConfig("", file: file)
            }
            throw UsageError(
                "cannot read \(masked(file)): \(String(cString: strerror(error.number))).")
        }
    }

    private mutating func take(_ text: String, _ number: Int) {
        switch ConfigLine(text) {
        case .empty: break
        case .section(let name):
            fault(number, "there are no sections, such as \(masked(name)), here.")
        case .other(let line):
            fault(number, "this line\(ConfigFault.spelt(line)) is no KEY = VALUE.")
        case .entry(let key, let value):
            guard Setting.all.contains(where: { $0.key == key }) else {
                let secrets = "samelistd token create makes a token, and jwt-key names a file"
                let keys = Setting.all.map(\.key)
                return fault(
                    number, ConfigFault.unknown(key, among: keys, secrets: secrets))
            }
            if let other = entries[key] {
                return fault(number, "\(key) is in line \(other.line) already.")
            }
            guard !value.isEmpty else { return fault(number, "\(key) needs a value.") }
            entries[key] = Entry(value: value, line: number)
        }
    }

    private mutating func fault(_ line: Int, _ sentence: String) {
        faults.append(ConfigFault(line: line, sentence: sentence))
    }

    private struct Unreadable: Error {
        let number: Int32
    }

    private static func bytes(of file: String) throws(Unreadable) -> [UInt8] {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Unreadable(number: errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &part, part.count)
            if count == 0 { return bytes }
            guard count > 0 else { throw Unreadable(number: errno) }
            bytes += part[..<count]
        }
    }
}
