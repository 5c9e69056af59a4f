internal import CSimdjson

/// simdjson behind one handle: strict RFC 8259, numbers and depth bounded, no member named twice.
///
/// Confined to its owner. Its buffers are reused, so a parse allocates nothing once they are big
/// enough.
final class JSONParser {
    /// `nil` where there was no memory for it; every parse then says so.
    private let handle: OpaquePointer?
    /// Levels of objects and arrays that one value may have.
    private let depth: Int

    /// Messages nest values at most this deep: message, entries, entry, operations, operation,
    /// fields.
    private static let levelsAroundValues = 6

    init(depth: Int) {
        self.depth = depth
        handle = json_parser_create(depth + Self.levelsAroundValues)
    }

    deinit { json_parser_free(handle) }

    /// Parses `bytes` and hands the root to `body`; the node and all below it end with that call.
    func parse<Result>(
        _ bytes: UnsafeRawBufferPointer, _ body: (JSONNode) throws(DecodingFault) -> Result
    ) throws(DecodingFault) -> Result {
        var tape = json_tape()
        let start = bytes.bindMemory(to: UInt8.self).baseAddress
        let result: json_result =
            handle == nil ? .no_memory : json_parse(handle, start, bytes.count, &tape)
        guard result == .parsed, let words = tape.words, let strings = tape.strings else {
            throw fault(result)
        }
        return try body(JSONNode(words: words, strings: strings, index: 1, depth: depth))
    }

    private func fault(_ result: json_result) -> DecodingFault {
        switch result {
        case .empty: DecodingFault(.malformed, "is empty")
        case .not_utf8: DecodingFault(.malformed, "is not valid UTF-8")
        case .bad_string:
            DecodingFault(
                .malformed, "holds a text with a control character, bad escape or lone surrogate")
        case .bad_number:
            DecodingFault(.malformed, "holds a number that is misspelt or out of range")
        case .too_deep: DecodingFault(.malformed, "is nested deeper than \(depth)")
        case .duplicate_member:
            DecodingFault(.malformed, "has an object that names a member twice")
        case .no_memory: DecodingFault(.tooLarge, "needs more memory than there is")
        case .bad_syntax, .parsed: DecodingFault(.malformed, "is not valid JSON")
        }
    }
}
