internal import Dispatch
internal import Glibc

/// The lines of standard input where it is no terminal to edit in, read on a thread of their own.
enum InputLines {
    static func read(
        _ line: @escaping @Sendable (String) -> Void, end: @escaping @Sendable () -> Void
    ) {
        DispatchQueue(label: "standard input").async {
            readAll(line)
            end()
        }
    }

    private static func readAll(_ line: (String) -> Void) {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        var begun: [UInt8] = []
        while true {
            let count = Glibc.read(STDIN_FILENO, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            for part in chunk[..<count].split(
                separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
            ).enumerated() {
                if part.offset > 0 {
                    line(String(decoding: begun, as: UTF8.self))
                    begun = []
                }
                begun.append(contentsOf: part.element)
            }
        }
        if !begun.isEmpty { line(String(decoding: begun, as: UTF8.self)) }
    }
}
