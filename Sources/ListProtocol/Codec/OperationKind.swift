internal import ListModel

/// What an operation does, told by the one member that is called so.
enum OperationKind {
    case insert, set, count, move, delete, restore, describe, forget

    /// An operation of two kinds is refused rather than half understood.
    init(of object: JSONObject) throws(DecodingFault) {
        var found: OperationKind?
        for member in object {
            guard let kind = OperationKind(name: member.name) else { continue }
            guard found == nil else { throw DecodingFault(.malformed, "has two operations in one") }
            found = kind
        }
        guard let found else {
            throw .expected("one of insert, set, count, move, delete, restore, describe")
        }
        self = found
    }

    private init?(name: JSONNode) {
        if name.has(text: "insert") {
            self = .insert
        } else if name.has(text: "set") {
            self = .set
        } else if name.has(text: "count") {
            self = .count
        } else if name.has(text: "move") {
            self = .move
        } else if name.has(text: "delete") {
            self = .delete
        } else if name.has(text: "restore") {
            self = .restore
        } else if name.has(text: "describe") {
            self = .describe
        } else if name.has(text: "forget") {
            self = .forget
        } else {
            return nil
        }
    }
}

// What operations and resolved operations have in common.
extension JSONObject {
    func number(_ name: StaticString) throws(DecodingFault) -> Value {
        try read(name) { node throws(DecodingFault) in
            let value = try Value(json: node)
            guard value.isNumber else { throw .expected("a number") }
            return value
        }
    }

    /// `{"describe":{"title":…,"schema":{…}}}`.
    func description(
        within bounds: Bounds?
    ) throws(DecodingFault) -> (title: String?, schema: Schema?) {
        try read("describe") { node throws(DecodingFault) in
            let object = try node.object()
            return (try object.title(within: bounds), try object.schema(within: bounds))
        }
    }

    func title(within bounds: Bounds?) throws(DecodingFault) -> String? {
        try readIfPresent("title") { node throws(DecodingFault) in
            if let bounds { try bounds.title(node) } else { try String(json: node) }
        }
    }

    func schema(within bounds: Bounds?) throws(DecodingFault) -> Schema? {
        try readIfPresent("schema") { node throws(DecodingFault) in
            try Schema(json: node, within: bounds)
        }
    }
}

extension JSONWriter {
    mutating func description(_ title: String?, _ schema: Schema?) {
        key("describe")
        object {
            $0.member("title", ifPresent: title)
            $0.member("schema", ifPresent: schema)
        }
    }
}
