internal import ListModel

/// `"after":ID`, or `"after":null` for the front. Never left out: a replica must not guess a place.
extension Anchor: JSONReadable, JSONWritable {
    init(json: JSONNode) throws(DecodingFault) {
        self = json.isNull ? .first : .after(try ElementID(json: json))
    }

    func write(to writer: inout JSONWriter) {
        switch self {
        case .first: writer.null()
        case .after(let id): id.write(to: &writer)
        }
    }
}

extension ResolvedOperation: JSONReadable, JSONWritable {
    init(json: JSONNode) throws(DecodingFault) {
        let object = try json.object()
        switch try OperationKind(of: object) {
        case .insert:
            self = .insert(
                try object.read("insert"), after: try object.read("after"), try object.read("f"))
        case .set: self = .set(try object.read("set"), try object.read("f"))
        case .count:
            self = .count(
                try object.read("count"), try object.read("field"), by: try object.number("by"),
                is: try object.number("is"))
        case .move: self = .move(try object.read("move"), after: try object.read("after"))
        case .delete: self = .delete(try object.read("delete"))
        case .restore: self = .restore(try object.read("restore"), try object.read("f"))
        case .describe:
            let (title, schema) = try object.description(within: nil)
            self = .describe(title: title, schema: schema)
        case .forget: self = .forget(try object.read("forget"))
        }
    }

    func write(to writer: inout JSONWriter) { writer.object { writeMembers(to: &$0) } }

    private func writeMembers(to writer: inout JSONWriter) {
        switch self {
        case .insert(let id, let anchor, let fields):
            writer.member("insert", id)
            writer.member("after", anchor)
            writer.member("f", fields)
        case .set(let id, let changes):
            writer.member("set", id)
            writer.member("f", changes)
        case .count(let id, let field, let number, let sum):
            writer.member("count", id)
            writer.member("field", field)
            writer.member("by", number)
            writer.member("is", sum)
        case .move(let ids, let anchor):
            writer.member("move", ids)
            writer.member("after", anchor)
        case .delete(let id): writer.member("delete", id)
        case .restore(let id, let fields):
            writer.member("restore", id)
            writer.member("f", fields)
        case .describe(let title, let schema): writer.description(title, schema)
        case .forget(let ids): writer.member("forget", ids)
        }
    }
}

/// `{"op":0,"id":"b","code":"removed","by":"bob"}`.
extension Skip: JSONReadable, JSONWritable {
    init(json: JSONNode) throws(DecodingFault) {
        let object = try json.object()
        self.init(
            operation: try object.read("op"), id: try object.readIfPresent("id"),
            code: try object.read("code"), by: try object.readIfPresent("by"))
    }

    func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("op", operation)
            $0.member("id", ifPresent: id)
            $0.member("code", code)
            $0.member("by", ifPresent: by)
        }
    }
}

/// `{"v":12,"at":…,"by":"ana","c":CLIENT,"n":5,"ops":[…],"skip":[…]}`. What was heard and the
/// digest are the authority's own business: they stand in the header of the record, not here.
extension Entry: JSONReadable, JSONWritable {
    init(json: JSONNode) throws(DecodingFault) {
        let object = try json.object()
        self.init(
            version: try object.read("v"), at: try object.read("at"), by: try object.read("by"),
            client: try object.read("c"), n: try object.read("n"),
            operations: try object.read("ops"), skips: try object.readIfPresent("skip") ?? [])
    }

    func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("v", version)
            $0.member("at", at)
            $0.member("by", by)
            $0.member("c", client)
            $0.member("n", n)
            $0.member("ops", operations)
            $0.member("skip", unlessEmpty: skips)
        }
    }
}
