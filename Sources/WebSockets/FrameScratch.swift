/// The bytes of one write: whole WebSocket frames, built one behind the other in memory that is
/// used again for the next write.
///
/// A server's frames are bare, a client's are masked with a key of their own, as RFC 6455 wants.
final class FrameScratch {
    private var memory: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    /// What a frame's header takes at most, with the key.
    private static let headerLimit = 14
    /// After a larger write than this the memory is given back.
    private static let keptSize = 1 << 20

    init() {
        memory = .allocate(byteCount: 65_536, alignment: 16)
    }

    deinit {
        memory.deallocate()
    }

    /// The frames so far; valid until the next change.
    var bytes: UnsafeMutablePointer<UInt8>? {
        memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
    }

    func reset() {
        count = 0
        if memory.count > Self.keptSize { resize(to: 65_536) }
    }

    /// Appends one message of text as one frame.
    func append(text payload: [UInt8], masked: Bool) {
        payload.withUnsafeBytes { append(opcode: 0x1, $0, masked: masked) }
    }

    func appendPing(masked: Bool) {
        append(opcode: 0x9, UnsafeRawBufferPointer(start: nil, count: 0), masked: masked)
    }

    /// Appends a close frame; the text is cut to what fits, 123 bytes, at a character's end.
    func append(closeCode code: UInt16, reason: String, masked: Bool) {
        var payload = [UInt8(code >> 8), UInt8(code & 0xff)]
        for character in reason {
            guard payload.count + character.utf8.count <= 125 else { break }
            payload += character.utf8
        }
        payload.withUnsafeBytes { append(opcode: 0x8, $0, masked: masked) }
    }

    private func append(opcode: UInt8, _ payload: UnsafeRawBufferPointer, masked: Bool) {
        makeRoom(Self.headerLimit + payload.count)
        put(0x80 | opcode)
        putLength(payload.count, flag: masked ? 0x80 : 0)
        if masked {
            putMasked(payload)
        } else {
            UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: payload)
            count += payload.count
        }
    }

    private func putLength(_ length: Int, flag: UInt8) {
        switch length {
        case ..<126:
            put(flag | UInt8(length))
        case ..<65_536:
            put(flag | 126)
            for shift in [8, 0] { put(UInt8(truncatingIfNeeded: length >> shift)) }
        default:
            put(flag | 127)
            for shift in stride(from: 56, through: 0, by: -8) {
                put(UInt8(truncatingIfNeeded: length >> shift))
            }
        }
    }

    private func putMasked(_ payload: UnsafeRawBufferPointer) {
        let key = UInt32.random(in: .min ... .max)
        memory.storeBytes(of: key, toByteOffset: count, as: UInt32.self)
        count += 4
        let target = UnsafeMutableRawBufferPointer(rebasing: memory[count...])
        let words = payload.count / 4
        for word in 0..<words {
            let plain = payload.loadUnaligned(fromByteOffset: word * 4, as: UInt32.self)
            target.storeBytes(of: plain ^ key, toByteOffset: word * 4, as: UInt32.self)
        }
        withUnsafeBytes(of: key) { key in
            for index in (words * 4)..<payload.count {
                target[index] = payload[index] ^ key[index & 3]
            }
        }
        count += payload.count
    }

    private func put(_ byte: UInt8) {
        memory[count] = byte
        count += 1
    }

    private func makeRoom(_ more: Int) {
        guard count + more > memory.count else { return }
        resize(to: max(count + more, memory.count * 2))
    }

    private func resize(to size: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<count]))
        memory.deallocate()
        memory = larger
    }
}
