internal import CLibwebsockets
import Glibc
internal import Threads

/// libwebsockets' own error lines, which it has one place for in the whole process.
///
/// Peers can provoke such lines, so no more than ten a second are passed on.
package enum WebSocketLog {
    typealias Sink = @Sendable (String) -> Void

    private struct State {
        var isInstalled = false
        var sink: Sink = { line in
            let bytes = Array("libwebsockets: \(line)\n".utf8)
            _ = Glibc.write(2, bytes, bytes.count)
        }
        var second: Int = 0
        var lines = 0
    }

    private static let state = Locked(State())

    /// Sets where the lines go; standard error when never called. Any thread may call this.
    package static func set(_ sink: @escaping @Sendable (String) -> Void) {
        state.withLock { $0.sink = sink }
    }

    static func install() {
        let isFirst = state.withLock { state in
            defer { state.isInstalled = true }
            return !state.isInstalled
        }
        if isFirst { lws_set_log_level(Int32(LLL_ERR), emit) }
    }

    fileprivate static func pass(_ line: String) {
        let sink = state.withLock { state -> Sink? in
            let second = time(nil)
            if second != state.second { (state.second, state.lines) = (second, 0) }
            state.lines += 1
            return state.lines <= 10 ? state.sink : nil
        }
        sink?(line)
    }
}

/// The error lines of one call into libwebsockets, which tells nothing else about a failure.
final class LogCapture {
    fileprivate(set) var lastLine = ""

    /// Runs `call`; its lines are kept here and not passed on.
    func capture(_ call: () -> Void) {
        lastLine = ""
        pthread_setspecific(captureKey, Unmanaged.passUnretained(self).toOpaque())
        call()
        pthread_setspecific(captureKey, nil)
    }
}

private let captureKey: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
}()

private func emit(_ level: Int32, _ text: UnsafePointer<CChar>?) {
    guard let text else { return }
    var line = String(cString: text)
    while line.last?.isNewline == true { line.removeLast() }
    guard let capture = pthread_getspecific(captureKey) else { return WebSocketLog.pass(line) }
    Unmanaged<LogCapture>.fromOpaque(capture).takeUnretainedValue().lastLine = line
}
