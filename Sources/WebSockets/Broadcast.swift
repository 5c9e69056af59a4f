internal import CLibwebsockets
import Glibc

/// One text message after the other for many connections of a server: who is to get one is gathered
/// first, and then it is written to all of them with nothing between two writes.
///
/// That is more than tidiness. A reader on the other side that has nothing to read goes to sleep,
/// and waking it costs the writer more than a write: so a pause after each write, however short,
/// is paid for three times over.
///
/// Order of calls: `add` any number of times, `send` at the end, before anything else happens on
/// the loop.
package struct Broadcast {
    private var payload: [UInt8] = []
    private var sockets: [OpenSocket] = []
    private var descriptors: [Int32] = []

    package init() {}

    /// - Parameter connection: one that `isWritable`; it is then added once.
    package mutating func add(_ message: [UInt8], to connection: WebSocketConnection) {
        if !isSame(message, payload) {
            send()
            payload = message
        }
        sockets.append(connection.socket)
        descriptors.append(connection.socket.descriptor ?? -1)
    }

    /// Writes what is still to be written. Whoever does not take all of it is told by `writable`
    /// when it has, and whose connection is broken, by `closed`.
    package mutating func send() {
        guard let loop = sockets.first?.loop else { return }
        loop.preconditionOnLoop()
        loop.scratch.reset()
        loop.scratch.append(text: payload, masked: false)
        let (bytes, count) = (loop.scratch.bytes, loop.scratch.count)
        for (index, descriptor) in descriptors.enumerated() {
            let taken = descriptor < 0 ? 0 : Glibc.send(descriptor, bytes, count, sendFlags)
            if taken != count { sockets[index].finish(taken: max(0, taken)) }
        }
        sockets.removeAll(keepingCapacity: true)
        descriptors.removeAll(keepingCapacity: true)
    }
}

/// Whether they are one array in memory; then neither can have changed.
private func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.withUnsafeBufferPointer { one in
        other.withUnsafeBufferPointer { other in
            one.baseAddress == other.baseAddress && one.count == other.count
        }
    }
}
