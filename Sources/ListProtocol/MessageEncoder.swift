package import ListModel

/// Turns messages, records and values into bytes. One message has one encoding: members in a fixed
/// order, fields and object keys in name order, defaults left out.
///
/// Numbers of versions, requests, sessions and mutations must fit 63 bits, as decoders demand.
package enum MessageEncoder {
    package static func encode(_ message: ClientMessage) -> [UInt8] { json(message) }

    /// Entries go without their `heard` and `digest`, and parts of a snapshot without title and
    /// schema but for the first, and without the details of graves.
    package static func encode(_ message: ServerMessage) -> [UInt8] { json(message) }

    package static func encode(_ value: Value) -> [UInt8] { json(value) }

    package static func encode(_ line: ExportLine) -> [UInt8] { json(line) }

    /// The size of an element is the count of these bytes.
    package static func encode(_ fields: Fields) -> [UInt8] { json(fields) }

    /// The whole entry, whose JSON can be broadcast as it stands.
    package static func encodeEntryRecord(_ entry: Entry) -> [UInt8] {
        json(entry, after: EntryHeader(heard: entry.heard, digest: entry.digest).bytes)
    }

    /// The part of an entry's record that everybody may see; empty if it is no such record.
    package static func entryJSON(inRecord record: [UInt8]) -> ArraySlice<UInt8> {
        record.dropFirst(EntryHeader.count)
    }

    /// An `entries` message from records, in log order; nothing is encoded twice.
    package static func entriesFrame(
        list: ListName, records: some Collection<[UInt8]>
    ) -> [UInt8] {
        let capacity = records.reduce(64 + list.text.utf8.count) { $0 + $1.count }
        var writer = JSONWriter(capacity: capacity)
        writer.object {
            $0.message("entries", list)
            $0.key("entries")
            $0.array {
                for record in records { $0.raw(entryJSON(inRecord: record)) }
            }
        }
        return writer.bytes
    }

    /// A part as it is stored: graves with what is known of them.
    package static func encodeSnapshotRecord(_ part: SnapshotPart) -> [UInt8] {
        var writer = JSONWriter(after: [RecordFormat.number], capacity: 64 << 10)
        writer.object { part.writeMembers(to: &$0, graveDetails: true) }
        return writer.bytes
    }

    /// A mutation as a client keeps it while it is pending.
    package static func encodeMutationRecord(_ mutation: Mutation) -> [UInt8] {
        json(mutation, after: [RecordFormat.number])
    }

    /// The same behind other bytes.
    package static func append(recordOf mutation: Mutation, to bytes: inout [UInt8]) {
        let header = bytes + [RecordFormat.number]
        bytes = json(mutation, after: header)
    }

    private static func json(_ value: some JSONWritable, after header: [UInt8] = []) -> [UInt8] {
        var writer = JSONWriter(after: header)
        value.write(to: &writer)
        return writer.bytes
    }
}
