internal import Glibc

/// Standard output and error, written to directly: C's streams have locks, and a thread that waits
/// for input may hold them.
enum StandardStreams {
    /// Writes everything. Where nobody reads the results any more the program ends, quietly; where
    /// they cannot be written for another reason it says so and has failed. What cannot be told on
    /// standard error is let go: how the program ends tells as much.
    static func write(_ bytes: [UInt8], to descriptor: Int32) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(descriptor, buffer.baseAddress.map { $0 + done }, bytes.count - done)
            }
            if count >= 0 {
                done += count
            } else if errno == EAGAIN {
                var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                Glibc.poll(&poll, 1, -1)
            } else if errno != EINTR {
                if descriptor != STDERR_FILENO { endWithoutReader(errno) }
                return
            }
        }
    }

    /// Writes everything to a file. The error's number where it cannot.
    static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(descriptor, buffer.baseAddress.map { $0 + done }, bytes.count - done)
            }
            if count < 0, errno != EINTR { return errno }
            done += max(0, count)
        }
        return nil
    }

    private static func endWithoutReader(_ reason: Int32) -> Never {
        if reason == EPIPE { Glibc._exit(ExitCode.done.rawValue) }
        let why = String(cString: strerror(reason))
        write(
            Array("samelist: cannot write standard output: \(why).\n".utf8), to: STDERR_FILENO)
        Glibc._exit(ExitCode.refused.rawValue)
    }

    /// Takes the numbers of streams that are closed, so that no file of ours gets one and is
    /// written to in their place. To use them stays an error.
    static func holdPlaces() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// Columns of the terminal on `descriptor`, where it tells.
    static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// The first line of standard input, and not a byte more of it: the rest is for somebody else.
    static func readLine() -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while bytes.count < 16 << 10 {
            let count = read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1, byte != UInt8(ascii: "\n") else { break }
            bytes.append(byte)
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    static func environment(_ name: String) -> String? {
        guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else {
            return nil
        }
        return value
    }
}
