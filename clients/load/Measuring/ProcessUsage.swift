import Glibc

/// What a process has used so far.
struct ProcessUsage: Sendable {
    /// CPU time of all its threads, in nanoseconds.
    var cpu: UInt64
    /// Bytes of memory that it holds now.
    var memory: UInt64

    /// `nil` where there is no such process (any more).
    init?(of process: pid_t) {
        var clock = clockid_t()
        guard clock_getcpuclockid(process, &clock) == 0,
            let pages = Self.residentPages(process)
        else { return nil }
        cpu = Moment.read(clock)
        memory = pages * UInt64(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// The CPU time of the calling thread, in nanoseconds.
    static var thisThread: UInt64 { Moment.read(CLOCK_THREAD_CPUTIME_ID) }

    private static func residentPages(_ process: pid_t) -> UInt64? {
        guard let file = fopen("/proc/\(process)/statm", "r") else { return nil }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 128)
        guard fgets(&buffer, Int32(buffer.count), file) != nil else { return nil }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let text = String(decoding: bytes, as: UTF8.self)
        let words = text.split(separator: " ")
        return words.count > 1 ? UInt64(words[1]) : nil
    }
}
