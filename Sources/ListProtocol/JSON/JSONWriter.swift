/// Writes JSON straight into bytes: no tree, no reflection, append only.
///
/// Calls in the order of the text: `object` and `array` around their content, `key` before each
/// value in an object. Commas come by themselves.
package struct JSONWriter {
    package private(set) var bytes: [UInt8]
    /// Where the JSON begins: bytes before it are a record's header.
    private let start: Int

    /// Begins behind `header`.
    package init(after header: [UInt8] = [], capacity: Int = 256) {
        bytes = header
        start = header.count
        bytes.reserveCapacity(header.count + capacity)
    }

    package mutating func object(_ content: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "{"))
        content(&self)
        bytes.append(UInt8(ascii: "}"))
    }

    package mutating func array(_ content: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "["))
        content(&self)
        bytes.append(UInt8(ascii: "]"))
    }

    /// A member name that needs no escaping.
    package mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(
            contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    package mutating func key(_ name: String) {
        text(name)
        bytes.append(UInt8(ascii: ":"))
    }

    package mutating func null() { word("null") }

    package mutating func bool(_ flag: Bool) { word(flag ? "true" : "false") }

    package mutating func int(_ number: Int64) {
        separate()
        bytes.append(contentsOf: String(number).utf8)
    }

    package mutating func int(_ number: UInt64) {
        separate()
        bytes.append(contentsOf: String(number).utf8)
    }

    /// The shortest digits that read back as the same number; null for what JSON cannot say.
    package mutating func double(_ number: Double) {
        guard number.isFinite else { return null() }
        separate()
        // Swift's description is the shortest that reads back, and spelt as RFC 8259, section 6,
        // has it.
        bytes.append(contentsOf: number.description.utf8)
    }

    package mutating func text(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { escape($0) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// JSON that is already written.
    package mutating func raw(_ json: some Collection<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }

    private mutating func word(_ word: StaticString) {
        separate()
        bytes.append(
            contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    /// A comma, unless this is the first of its container or the value of a key: no finished value
    /// ends in one of these three bytes.
    private mutating func separate() {
        guard bytes.count > start, let last = bytes.last, last != UInt8(ascii: "{"),
            last != UInt8(ascii: "["), last != UInt8(ascii: ":")
        else { return }
        bytes.append(UInt8(ascii: ","))
    }

    /// Appends runs that need no escape whole.
    private mutating func escape(_ utf8: UnsafeBufferPointer<UInt8>) {
        var written = 0
        for at in utf8.indices {
            let byte = utf8[at]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
                continue
            }
            bytes.append(contentsOf: utf8[written..<at])
            bytes.append(contentsOf: Self.escaped(byte).utf8)
            written = at + 1
        }
        bytes.append(contentsOf: utf8[written...])
    }

    private static func escaped(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "\""): "\\\""
        case UInt8(ascii: "\\"): "\\\\"
        case 0x08: "\\b"
        case 0x09: "\\t"
        case 0x0A: "\\n"
        case 0x0C: "\\f"
        case 0x0D: "\\r"
        default: "\\u00" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
        }
    }
}
