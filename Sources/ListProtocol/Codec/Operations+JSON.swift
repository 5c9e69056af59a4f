internal import ListModel

/// `"first"`, `"last"`, `{"after":ID}`, `{"before":ID}`; left out, it is last.
extension Place: JSONReadable, JSONWritable {
    init(json: JSONNode) throws(DecodingFault) {
        if json.has(text: "first") {
            self = .first
        } else if json.has(text: "last") {
            self = .last
        } else if case .object(let object) = json.kind {
            let after = try object.readIfPresent("after", as: ElementID.self)
            let before = try object.readIfPresent("before", as: ElementID.self)
            switch (after, before) {
            case (let after?, nil): self = .after(after)
            case (nil, let before?): self = .before(before)
            default: throw Self.expected
            }
        } else {
            throw Self.expected
        }
    }

    private static var expected: DecodingFault {
        .expected("\"first\", \"last\", {\"after\":ID} or {\"before\":ID}")
    }

    func write(to writer: inout JSONWriter) {
        switch self {
        case .first: writer.text("first")
        case .last: writer.text("last")
        case .after(let id): writer.object { $0.member("after", id) }
        case .before(let id): writer.object { $0.member("before", id) }
        }
    }
}

/// `{"f":FIELDS,"v":3,"p":4,"n":5}`.
extension Condition: JSONWritable {
    init(json: JSONNode, within bounds: Bounds?) throws(DecodingFault) {
        let object = try json.object()
        self.init(
            fields: try object.readIfPresent("f") { node throws(DecodingFault) in
                try Fields(json: node, within: bounds)
            },
            version: try object.readIfPresent("v"),
            placed: try object.readIfPresent("p"),
            needs: try object.readIfPresent("n"))
    }

    func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("f", ifPresent: fields)
            $0.member("v", ifPresent: version)
            $0.member("p", ifPresent: placed)
            $0.member("n", ifPresent: needs)
        }
    }
}

extension Operation: JSONWritable {
    init(json: JSONNode, within bounds: Bounds?) throws(DecodingFault) {
        let object = try json.object()
        let intent = try Intent(object, within: bounds)
        let condition = try object.readIfPresent("if") { node throws(DecodingFault) in
            try Condition(json: node, within: bounds)
        }
        self.init(intent, if: condition)
    }

    func write(to writer: inout JSONWriter) {
        writer.object {
            intent.writeMembers(to: &$0)
            $0.member("if", ifPresent: condition)
        }
    }
}

extension Operation.Intent {
    fileprivate init(_ object: JSONObject, within bounds: Bounds?) throws(DecodingFault) {
        switch try OperationKind(of: object) {
        case .insert:
            let fields = try object.fields(within: bounds).withoutNulls
            self = .insert(try object.read("insert"), at: try object.place(), fields)
        case .set: self = .set(try object.read("set"), try object.fields(within: bounds))
        case .count:
            self = .count(
                try object.read("count"), try object.read("field"), by: try object.number("by"))
        case .move:
            let ids = try object.read("move") { node throws(DecodingFault) in
                try node.array().readAll(limit: bounds?.limits.operations ?? .max) {
                    node throws(DecodingFault) in try ElementID(json: node)
                }
            }
            self = .move(ids, to: try object.place())
        case .delete:
            self = .delete(
                try object.read("delete"), unlessEdited: try object.flag("unlessEdited"))
        case .restore: self = .restore(try object.read("restore"))
        case .describe:
            let (title, schema) = try object.description(within: bounds)
            self = .describe(title: title, schema: schema)
        case .forget: throw DecodingFault(.malformed, "is the server's alone", at: "forget")
        }
    }

    fileprivate func writeMembers(to writer: inout JSONWriter) {
        switch self {
        case .insert(let id, let place, let fields):
            writer.member("insert", id)
            if place != .last { writer.member("at", place) }
            writer.member("f", fields)
        case .set(let id, let changes):
            writer.member("set", id)
            writer.member("f", changes)
        case .count(let id, let field, let number):
            writer.member("count", id)
            writer.member("field", field)
            writer.member("by", number)
        case .move(let ids, let place):
            writer.member("move", ids)
            if place != .last { writer.member("at", place) }
        case .delete(let id, let unlessEdited):
            writer.member("delete", id)
            writer.flag("unlessEdited", unlessEdited)
        case .restore(let id): writer.member("restore", id)
        case .describe(let title, let schema): writer.description(title, schema)
        case .forget(let ids): writer.member("forget", ids)
        }
    }
}

extension JSONObject {
    fileprivate func place() throws(DecodingFault) -> Place { try readIfPresent("at") ?? .last }

    fileprivate func fields(within bounds: Bounds?) throws(DecodingFault) -> Fields {
        try read("f") { node throws(DecodingFault) in try Fields(json: node, within: bounds) }
    }
}
