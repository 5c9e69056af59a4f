package import ListModel

/// Turns bytes into messages, records and values. Whatever the bytes, it answers with one of these
/// or with a `DecodingFault`, and is as good as new for the next call.
///
/// Not safe to share: one decoder belongs to one thread or actor at a time, since its buffers are
/// reused. It keeps about 15 bytes for each byte of the longest message of late, up to 1 MiB.
package final class MessageDecoder {
    private let limits: Limits
    private let parser: JSONParser

    package init(limits: Limits) {
        self.limits = limits
        parser = JSONParser(depth: limits.depth)
    }

    /// What a client sent, measured against the limits: `tooLarge` and `tooMany` tell the limit.
    package func decodeClientMessage(
        _ bytes: UnsafeRawBufferPointer
    ) throws(DecodingFault) -> ClientMessage {
        try check(bytes, limit: limits.messageBytes)
        let bounds = Bounds(limits, messageBytes: bytes.count)
        return try read(bytes) { message throws(DecodingFault) in
            try ClientMessage(message, within: bounds)
        }
    }

    /// What a server sent. It was measured before it was logged, so only its whole size is bounded:
    /// an entry may restore as many elements as a mutation has operations.
    package func decodeServerMessage(
        _ bytes: UnsafeRawBufferPointer
    ) throws(DecodingFault) -> ServerMessage {
        try check(bytes, limit: limits.messageBytes + limits.operations * limits.elementBytes)
        return try read(bytes) { message throws(DecodingFault) in try ServerMessage(message) }
    }

    package func decodeValue(_ bytes: UnsafeRawBufferPointer) throws(DecodingFault) -> Value {
        try parser.parse(bytes) { node throws(DecodingFault) in try Value(json: node) }
    }

    /// The record of `MessageEncoder.encodeEntryRecord`.
    package func decodeEntryRecord(_ record: [UInt8]) throws(DecodingFault) -> Entry {
        let header = try EntryHeader(record)
        var entry = try withJSON(of: record, behind: EntryHeader.count) {
            json throws(DecodingFault) in
            try parser.parse(json) { node throws(DecodingFault) in try Entry(json: node) }
        }
        entry.heard = header.heard
        entry.digest = header.digest
        return entry
    }

    /// The record of `MessageEncoder.encodeSnapshotRecord`.
    package func decodeSnapshotRecord(_ record: [UInt8]) throws(DecodingFault) -> SnapshotPart {
        try RecordFormat.check(record)
        return try withJSON(of: record, behind: RecordFormat.count) { json throws(DecodingFault) in
            try read(json) { object throws(DecodingFault) in
                try SnapshotPart(object, graveDetails: true)
            }
        }
    }

    /// The record of `MessageEncoder.encodeMutationRecord`.
    package func decodeMutationRecord(_ record: [UInt8]) throws(DecodingFault) -> Mutation {
        try RecordFormat.check(record)
        return try withJSON(of: record, behind: RecordFormat.count) { json throws(DecodingFault) in
            try read(json) { object throws(DecodingFault) in try Mutation(object) }
        }
    }

    /// A line of an export, measured against the limits as a client's message is.
    package func decodeExportLine(_ line: [UInt8]) throws(DecodingFault) -> ExportLine {
        let bounds = Bounds(limits, messageBytes: line.count)
        return try withJSON(of: line) { json throws(DecodingFault) in
            try parser.parse(json) { node throws(DecodingFault) in
                try ExportLine(json: node, within: bounds)
            }
        }
    }

    private func check(
        _ bytes: UnsafeRawBufferPointer, limit: Int
    ) throws(DecodingFault) {
        guard bytes.count <= limit else {
            throw DecodingFault(.tooLarge, "takes \(bytes.count) bytes; the limit is \(limit)")
        }
    }

    /// Reads an object; a fault in it says what the object was about.
    private func read<Result>(
        _ bytes: UnsafeRawBufferPointer, _ body: (JSONObject) throws(DecodingFault) -> Result
    ) throws(DecodingFault) -> Result {
        try parser.parse(bytes) { root throws(DecodingFault) in
            let object = try root.object()
            do throws(DecodingFault) {
                return try body(object)
            } catch {
                throw error.about(object)
            }
        }
    }
}

extension MessageDecoder {
    package func decodeClientMessage(_ bytes: [UInt8]) throws(DecodingFault) -> ClientMessage {
        try withJSON(of: bytes) { json throws(DecodingFault) in try decodeClientMessage(json) }
    }

    package func decodeServerMessage(_ bytes: [UInt8]) throws(DecodingFault) -> ServerMessage {
        try withJSON(of: bytes) { json throws(DecodingFault) in try decodeServerMessage(json) }
    }

    package func decodeValue(_ bytes: [UInt8]) throws(DecodingFault) -> Value {
        try withJSON(of: bytes) { json throws(DecodingFault) in try decodeValue(json) }
    }
}

/// Calls `body` with the bytes of `record` behind its header.
private func withJSON<Result>(
    of record: [UInt8], behind header: Int = 0,
    _ body: (UnsafeRawBufferPointer) throws(DecodingFault) -> Result
) throws(DecodingFault) -> Result {
    try record.withUnsafeBufferPointer { bytes throws(DecodingFault) in
        try body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes).dropFirst(header)))
    }
}
