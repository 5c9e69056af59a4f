internal import CFuzzer
internal import ListModel
package import ListProtocol

nonisolated(unsafe) private var target: ([UInt8]) -> Void = { _ in }
// because libFuzzer has no room for a context; it calls back on the thread that started it.

/// Runs libFuzzer on `body`; the command line is libFuzzer's. A trap or a finding of the address
/// sanitizer ends the process.
package func fuzz(_ body: @escaping ([UInt8]) -> Void) {
    target = body
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer? = CommandLine.unsafeArgv
    _ = LLVMFuzzerRunDriver(&count, &arguments) { start, count in
        target(Array(UnsafeBufferPointer(start: start, count: count)))
        return 0
    }
}

/// Runs libFuzzer on a decoder and its encoder.
///
/// What must hold: whatever the bytes, decoding answers; and what was decoded is what comes back
/// after it was encoded.
package func fuzz<Value: Equatable>(
    decode: @escaping (MessageDecoder, [UInt8]) throws(DecodingFault) -> Value,
    encode: @escaping (Value) -> [UInt8]
) {
    let decoder = MessageDecoder(limits: Limits())
    fuzz { bytes in
        guard let value = try? decode(decoder, bytes) else { return }
        let written = encode(value)
        guard let again = try? decode(decoder, written) else {
            preconditionFailure("not read again: \(String(decoding: written, as: UTF8.self))")
        }
        precondition(again == value, "read otherwise: \(String(decoding: written, as: UTF8.self))")
        precondition(encode(again) == written, "written otherwise the second time")
    }
}
