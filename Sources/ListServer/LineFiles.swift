internal import Glibc
internal import Storage

/// Lines that are written to a descriptor, many at once.
final class LineWriter {
    private let descriptor: Int32
    /// As sentences name what is written.
    private let name: String
    private var waiting: [UInt8] = []

    private static let most = 1 << 16

    init(_ descriptor: Int32, named name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    func write(_ line: [UInt8]) throws(StorageError) {
        waiting += line
        waiting.append(UInt8(ascii: "\n"))
        if waiting.count >= Self.most { try flush() }
    }

    /// Nothing waits any more.
    func flush() throws(StorageError) {
        var done = 0
        while done < waiting.count {
            let count = waiting.withUnsafeBytes { bytes in
                Glibc.write(
                    descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw .failed("\(name) could not be written (\(String(cString: strerror(errno)))).")
            }
            done += count
        }
        waiting.removeAll(keepingCapacity: true)
    }
}

/// Lines that are read from a descriptor, one after the other, with their numbers.
final class LineReader {
    private let descriptor: Int32
    private let name: String
    private var bytes: [UInt8] = []
    private var start = 0
    /// Of the line that was read last, from 1.
    private(set) var number = 0

    /// Bytes of one line: six times those of the largest element's fields, so escaped as it may be.
    private static let most = 4 << 20
    private static let step = 1 << 16

    init(_ descriptor: Int32, named name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    /// The next line without its end; `nil` behind the last.
    func next() throws(StorageError) -> [UInt8]? {
        var searched = start
        while true {
            if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                return take(through: end)
            }
            searched = bytes.count
            guard searched - start <= Self.most else {
                number += 1
                throw fault("it has more than \(Self.most) bytes")
            }
            if start > 0 {
                bytes.removeFirst(start)
                searched -= start
                start = 0
            }
            guard try fill() else { return start < bytes.count ? take(through: bytes.count) : nil }
        }
    }

    /// What is wrong with the line that was read last.
    func fault(_ sentence: String) -> StorageError {
        .failed("\(name) line \(number): \(sentence). Nothing was imported.")
    }

    private func take(through end: Int) -> [UInt8] {
        defer { start = min(end + 1, bytes.count) }
        number += 1
        return Array(bytes[start..<end])
    }

    /// False at the end.
    private func fill() throws(StorageError) -> Bool {
        var part = [UInt8](repeating: 0, count: Self.step)
        while true {
            let count = Glibc.read(descriptor, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw .failed("\(name) could not be read (\(String(cString: strerror(errno)))).")
            }
            bytes += part.prefix(count)
            return count > 0
        }
    }
}
