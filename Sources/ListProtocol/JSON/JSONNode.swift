/// One JSON value on the tape of a parsed message (CSimdjson.h says what stands there).
///
/// Valid only inside the `parse` that handed it out, and never stored.
struct JSONNode {
    fileprivate let words: UnsafePointer<UInt64>
    fileprivate let strings: UnsafePointer<UInt8>
    fileprivate let index: Int
    /// Levels of objects and arrays that one value may have.
    let depth: Int

    enum Kind {
        case null
        case bool(Bool)
        case int(Int64)
        /// Whole and above 2^63 - 1: no value of ours.
        case tooBig
        case double(Double)
        case text
        case array(JSONArray)
        case object(JSONObject)
    }

    init(words: UnsafePointer<UInt64>, strings: UnsafePointer<UInt8>, index: Int, depth: Int) {
        self.words = words
        self.strings = strings
        self.index = index
        self.depth = depth
    }

    var kind: Kind {
        switch tag {
        case UInt8(ascii: "t"): .bool(true)
        case UInt8(ascii: "f"): .bool(false)
        case UInt8(ascii: "l"): .int(Int64(bitPattern: words[index + 1]))
        case UInt8(ascii: "u"): .tooBig
        case UInt8(ascii: "d"): .double(Double(bitPattern: words[index + 1]))
        case UInt8(ascii: "\""): .text
        case UInt8(ascii: "["): .array(JSONArray(node: self))
        case UInt8(ascii: "{"): .object(JSONObject(node: self))
        default: .null
        }
    }

    var isNull: Bool { tag == UInt8(ascii: "n") }

    /// The bytes of a text; empty for any other value.
    fileprivate var utf8: UnsafeBufferPointer<UInt8> {
        guard tag == UInt8(ascii: "\"") else { return UnsafeBufferPointer(start: nil, count: 0) }
        let start = strings + Int(words[index] & 0xFF_FFFF_FFFF_FFFF)
        let count = UnsafeRawPointer(start).loadUnaligned(as: UInt32.self)
        return UnsafeBufferPointer(start: start + 4, count: Int(count))
    }

    /// The text; empty for any other value.
    var text: String { String(decoding: utf8, as: UTF8.self) }

    func has(text: StaticString) -> Bool {
        let bytes = utf8
        guard bytes.count == text.utf8CodeUnitCount else { return false }
        for at in 0..<bytes.count where bytes[at] != text.utf8Start[at] { return false }
        return true
    }

    fileprivate var tag: UInt8 { UInt8(truncatingIfNeeded: words[index] >> 56) }

    /// Index of the word behind this value; of an object or array, behind its end.
    fileprivate var end: Int {
        switch tag {
        case UInt8(ascii: "{"), UInt8(ascii: "["): Int(words[index] & 0xFFFF_FFFF)
        case UInt8(ascii: "l"), UInt8(ascii: "u"), UInt8(ascii: "d"): index + 2
        default: index + 1
        }
    }

    fileprivate func node(at index: Int) -> JSONNode {
        JSONNode(words: words, strings: strings, index: index, depth: depth)
    }
}

/// The values of an array, in order.
struct JSONArray: Sequence, IteratorProtocol {
    private let node: JSONNode
    private var position: Int
    /// How many values have been taken.
    private(set) var taken = 0

    fileprivate init(node: JSONNode) {
        self.node = node
        position = node.index + 1
    }

    mutating func next() -> JSONNode? {
        guard position < node.end - 1 else { return nil }
        let value = node.node(at: position)
        position = value.end
        taken += 1
        return value
    }

    /// O(n).
    var count: Int { reduce(into: 0) { count, _ in count += 1 } }
}

/// The members of an object, in the order in which they stand. No name stands twice.
struct JSONObject: Sequence, IteratorProtocol {
    private let node: JSONNode
    private var position: Int

    fileprivate init(node: JSONNode) {
        self.node = node
        position = node.index + 1
    }

    mutating func next() -> (name: JSONNode, value: JSONNode)? {
        guard position < node.end - 1 else { return nil }
        let name = node.node(at: position)
        let value = node.node(at: position + 1)
        position = value.end
        return (name, value)
    }

    /// The member called `name`, also where it is null. O(n), and objects of ours are small.
    func member(_ name: StaticString) -> JSONNode? {
        for member in self where member.name.has(text: name) { return member.value }
        return nil
    }

    /// O(n).
    var count: Int { reduce(into: 0) { count, _ in count += 1 } }
}
