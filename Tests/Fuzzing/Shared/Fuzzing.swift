internal import CFuzzer
internal import ListModel
package import ListProtocol

nonisolated(unsafe) private var target: (UnsafeBufferPointer<UInt8>) -> Void = { _ in }
// because libFuzzer has no room for a context; it calls back on the thread that started it.

/// Runs libFuzzer on a decoder and its encoder; the command line is libFuzzer's.
///
/// What must hold: whatever the bytes, decoding answers; and what was decoded is what comes back
/// after it was encoded. A trap or a finding of the address sanitizer ends the process.
package func fuzz<Value: Equatable>(
    decode: @escaping (MessageDecoder, [UInt8]) throws(DecodingFault) -> Value,
    encode: @escaping (Value) -> [UInt8]
) {
    let decoder = MessageDecoder(limits: Limits())
    target = { bytes in
        guard let value = try? decode(decoder, Array(bytes)) else { return }
        let written = encode(value)
        guard let again = try? decode(decoder, written) else {
            preconditionFailure("not read again: \(String(decoding: written, as: UTF8.self))")
        }
        precondition(again == value, "read otherwise: \(String(decoding: written, as: UTF8.self))")
        precondition(encode(again) == written, "written otherwise the second time")
    }
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer? = CommandLine.unsafeArgv
    _ = LLVMFuzzerRunDriver(&count, &arguments) { start, count in
        target(UnsafeBufferPointer(start: start, count: count))
        return 0
    }
}
