internal import ListModel

/// What a client's message is measured against while it is read. Records and what a server says are
/// not: they were measured before they were logged, perhaps by other limits.
struct Bounds {
    let limits: Limits
    /// Whether the message is so long that an element in it could be too large. Written again,
    /// texts do not grow, and numbers (`1e15`) not fivefold.
    private let mayExceedElement: Bool

    init(_ limits: Limits, messageBytes: Int) {
        self.limits = limits
        mayExceedElement = messageBytes > limits.elementBytes / 5
    }

    func checkFieldCount(of object: JSONObject) throws(DecodingFault) {
        let count = object.count
        guard count <= limits.fields else {
            throw DecodingFault(.tooMany, "holds \(count) fields; the limit is \(limits.fields)")
        }
    }

    func checkSize(of fields: Fields) throws(DecodingFault) {
        guard mayExceedElement else { return }
        let count = MessageEncoder.encode(fields).count
        guard count <= limits.elementBytes else {
            throw DecodingFault(
                .tooLarge, "takes \(count) bytes; the limit is \(limits.elementBytes)")
        }
    }

    /// A list's title.
    func title(_ json: JSONNode) throws(DecodingFault) -> String {
        let title = try String(json: json)
        guard title.utf8.count <= limits.titleBytes else {
            throw DecodingFault(
                .tooLarge, "takes \(title.utf8.count) bytes; the limit is \(limits.titleBytes)")
        }
        return title
    }

    /// The elements that a client says it edits, or asks about.
    func elements(_ json: JSONNode) throws(DecodingFault) -> [ElementID] {
        try json.array().readAll(limit: limits.editing) { node throws(DecodingFault) in
            try ElementID(json: node)
        }
    }
}
