import Glibc

/// What the thread of the sockets counts as it goes.
struct Figures {
    var opened: UInt64 = 0
    var messages: UInt64 = 0
    var bytesIn: UInt64 = 0
    var edits: UInt64 = 0
    var deliveries: UInt64 = 0
    var bytesOut: UInt64 = 0
    /// Of one round in which all who are due are given what there is for them.
    var fanOutSeconds = Histogram.seconds
    /// How many these are.
    var fanOutConnections = Histogram.numbers
}

/// What the storage's thread counts.
package struct StorageFigures: Sendable {
    var entries: UInt64 = 0
    var failures: UInt64 = 0
    /// Of a batch of appends, with the flush that makes it durable.
    var appendSeconds = Histogram.seconds
}

/// What the system says of this process.
struct ProcessFigures {
    var residentBytes = 0
    var cpuSeconds = 0.0
    var descriptors = 0
    var startSeconds = 0.0

    init() {
        let page = sysconf(Int32(_SC_PAGESIZE))
        let words = Self.text(of: "/proc/self/statm").split(separator: " ")
        if words.count > 1, let pages = Int(words[1]) { residentBytes = pages * page }
        var used = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used)
        cpuSeconds = Double(used.tv_sec) + Double(used.tv_nsec) / 1e9
        descriptors = Self.entries(of: "/proc/self/fd")
        startSeconds = Self.start
    }

    /// By the clock of the day, to the hundredth.
    private static let start: Double = {
        // Behind the program's name, which may hold anything but a parenthesis at its end.
        let words = text(of: "/proc/self/stat").split(separator: ")").last?.split(separator: " ")
        guard let words, words.count > 19, let ticks = Double(words[19]) else { return 0 }
        var (up, now) = (timespec(), timespec())
        clock_gettime(CLOCK_BOOTTIME, &up)
        clock_gettime(CLOCK_REALTIME, &now)
        let boot = Double(now.tv_sec - up.tv_sec)
        return boot + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }()

    private static func text(of file: String) -> String {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    private static func entries(of folder: String) -> Int {
        guard let stream = opendir(folder) else { return 0 }
        defer { closedir(stream) }
        var count = 0
        while readdir(stream) != nil { count += 1 }
        // Neither itself, nor its parent, nor the descriptor that reads it.
        return count - 3
    }
}
