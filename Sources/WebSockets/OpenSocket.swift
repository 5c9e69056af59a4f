internal import CLibwebsockets
import Glibc

/// One end of an established WebSocket, of a server or a client: what may be written, what has
/// come in, and how it is closed.
///
/// It writes raw frames with one `lws_write`, and only while libwebsockets holds nothing back, so
/// that at most one bounded write is ever in its buffer. The close frame is one of these writes:
/// libwebsockets' own way of closing drops the code when a write is under way.
///
///     open ──close──▶ closing (frame sent, input dropped) ──peer's close, or time──▶ ended
final class OpenSocket {
    enum Phase {
        case open
        /// Our close frame is on its way; the timer ends the wait for the peer's answer.
        case closing(LoopTimer, code: UInt16, reason: String)
        /// libwebsockets freed the connection, or is about to.
        case ended
    }

    struct Limits {
        var maxMessage: Int
        var maxWrite: Int
        var closeMilliseconds: UInt64
    }

    let loop: EventLoop
    private let wsi: OpaquePointer
    /// What frames are written to directly; `nil` with TLS, which is libwebsockets' affair.
    let descriptor: Int32?
    private let limits: Limits
    private let isClient: Bool
    private(set) var phase = Phase.open
    /// Came in since our close frame left.
    private var unread = 0
    /// Messages of full length that may come behind our close frame: more than the network holds.
    private static let patience = 16
    /// Bytes before a frame's payload, at most.
    private static let header = 14
    /// The peer's close frame, once it came.
    private(set) var peerClose: (code: UInt16, reason: String)?
    private var incoming: IncomingMessage
    private var wantsWritable = false
    private var wasHeldBack = false
    /// When it was opened, or has last taken in what was held back.
    private var tookAt: UInt64
    /// When it was last asked for a sign of life.
    private(set) var askedAt: UInt64?

    init(_ wsi: OpaquePointer, loop: EventLoop, limits: Limits, isClient: Bool) {
        self.wsi = wsi
        descriptor = lws_is_ssl(wsi) == 0 ? lws_get_socket_fd(wsi) : nil
        self.loop = loop
        self.limits = limits
        self.isClient = isClient
        tookAt = loop.now
        incoming = IncomingMessage(limit: limits.maxMessage)
    }

    var isOpen: Bool { if case .open = phase { true } else { false } }

    var isWritable: Bool { isOpen && lws_partial_buffered(wsi) == 0 }

    /// Sends each payload as one text message, all in one write.
    func send(_ payloads: some Collection<[UInt8]>) -> SendResult {
        loop.preconditionOnLoop()
        guard isOpen else { return .overflow }
        guard lws_partial_buffered(wsi) == 0 else {
            wantsWritable = true
            return .overflow
        }
        guard payloads.count == 1 || weight(payloads) <= limits.maxWrite else { return .overflow }
        loop.scratch.reset()
        for payload in payloads { loop.scratch.append(text: payload, masked: isClient) }
        return note(write())
    }

    /// Hands the rest of what is in the scratch, which the system has not taken, to libwebsockets.
    func finish(taken: Int) {
        guard isOpen else { return }
        _ = note(writeRest(taken))
    }

    private func note(_ result: SendResult) -> SendResult {
        switch result {
        case .sent: return .sent
        case .overflow:
            kill()
            return .overflow
        case .queued:
            wantsWritable = true
            wasHeldBack = true
            return .queued
        }
    }

    func notifyWhenWritable() {
        loop.preconditionOnLoop()
        guard isOpen else { return }
        wantsWritable = true
        lws_callback_on_writable(wsi)
    }

    /// Whether it takes anything in; what it does not, waits in the network, and then at the peer.
    func setReading(_ reads: Bool) {
        loop.preconditionOnLoop()
        guard isOpen else { return }
        lws_rx_flow_control(wsi, reads ? 1 : 0)
    }

    /// Sends a close frame behind whatever is still on its way, and takes nothing more in.
    func close(code: UInt16, reason: String) {
        loop.preconditionOnLoop()
        guard isOpen else { return }
        let timer = loop.after(milliseconds: limits.closeMilliseconds) { [self] in kill() }
        phase = .closing(timer, code: code, reason: reason)
        loop.scratch.reset()
        loop.scratch.append(closeCode: code, reason: reason, masked: isClient)
        if write() == .overflow { kill() }
    }

    /// Drops the connection at the next turn of the loop, whatever state it is in.
    func kill() {
        if case .ended = phase { return }
        loop.kill(wsi)
    }

    /// Asks the peer for a sign of life, unless something is held back for it: taking that in will
    /// be one.
    func askForLife() {
        askedAt = loop.now
        guard isWritable else { return }
        loop.scratch.reset()
        loop.scratch.appendPing(masked: isClient)
        if write() == .overflow { kill() }
    }

    /// Milliseconds since the peer gave a sign of life: since anything of it arrived, which the
    /// system knows, so that nobody has to note it for each message; or since it took in what was
    /// held back.
    func silence(at now: UInt64) -> UInt64 {
        let patience = now - min(now, tookAt)
        var info = tcp_info()
        var size = socklen_t(MemoryLayout<tcp_info>.size)
        guard getsockopt(lws_get_socket_fd(wsi), Int32(IPPROTO_TCP), TCP_INFO, &info, &size) == 0
        else { return patience }
        return min(patience, UInt64(info.tcpi_last_data_recv))
    }

    /// Takes in one piece of a message; `deliver` gets the message when it is whole.
    func receive(_ piece: UnsafeRawBufferPointer, deliver: (UnsafeRawBufferPointer) -> Void) {
        guard isOpen else {
            // Who goes on pouring does not listen, and would be read until its time is over.
            unread += piece.count + Self.header
            if unread > Self.patience * limits.maxMessage { kill() }
            return
        }
        guard lws_frame_is_binary(wsi) == 0 else {
            return close(code: 1003, reason: "only text messages are understood")
        }
        let step = incoming.take(
            piece, isFirst: lws_is_first_fragment(wsi) != 0,
            isLast: lws_is_final_fragment(wsi) != 0,
            announced: Int(clamping: lws_remaining_packet_payload(wsi)))
        switch step {
        case .wait: break
        case .whole: deliver(piece)
        case .assembled(let message): message.withUnsafeBytes(deliver)
        case .tooLong:
            close(code: 1009, reason: "a message may have at most \(limits.maxMessage) bytes")
        case .notText: close(code: 1007, reason: "not UTF-8")
        }
    }

    /// Notes the peer's close frame. Returns whether libwebsockets is still to answer it.
    func peerCloses(_ payload: UnsafeRawBufferPointer) -> Bool {
        if payload.count >= 2 {
            let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
            peerClose = (code, String(decoding: payload[2...], as: UTF8.self))
        } else {
            peerClose = (1005, "")
        }
        return isOpen
    }

    /// True when the owner is waiting for this moment.
    func becameWritable() -> Bool {
        if wasHeldBack {
            // The peer lives, even if it is too slow to see and answer a ping behind that.
            wasHeldBack = false
            tookAt = loop.now
        }
        guard isOpen, wantsWritable else { return false }
        wantsWritable = false
        return true
    }

    /// To be called when libwebsockets says that the connection is no more.
    func ended() -> CloseReason {
        defer { phase = .ended }
        if case .closing(let timer, let code, let reason) = phase {
            timer.cancel()
            return .local(code, reason)
        }
        if let peerClose { return .peer(peerClose.code, peerClose.reason) }
        return .lost
    }

    private func weight(_ payloads: some Collection<[UInt8]>) -> Int {
        payloads.reduce(0) { $0 + $1.count + Self.header }
    }

    /// Writes what is in the scratch. What the system does not take, libwebsockets copies; in
    /// `.overflow` the connection is broken.
    private func write() -> SendResult {
        let frames = loop.scratch
        var taken = 0
        if let descriptor, lws_partial_buffered(wsi) == 0 {
            // As libwebsockets does it, but for what it looks at before and after. What is wrong
            // with the socket, if something is, it finds out itself below.
            taken = max(0, Glibc.send(descriptor, frames.bytes, frames.count, sendFlags))
            if taken == frames.count { return .sent }
        }
        return writeRest(taken)
    }

    private func writeRest(_ taken: Int) -> SendResult {
        let frames = loop.scratch
        let rest = frames.bytes.map { $0 + taken }
        guard lws_write(wsi, rest, frames.count - taken, LWS_WRITE_HTTP) >= 0 else {
            return .overflow
        }
        return lws_partial_buffered(wsi) == 0 ? .sent : .queued
    }
}

/// A peer that is gone is no signal.
let sendFlags = Int32(MSG_NOSIGNAL)
