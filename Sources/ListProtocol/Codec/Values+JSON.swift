internal import ListModel

extension Value: JSONReadable, JSONWritable {
    init(json: JSONNode) throws(DecodingFault) { try self.init(json, levels: json.depth) }

    /// `levels` is how many objects and arrays may still be entered.
    private init(_ json: JSONNode, levels: Int) throws(DecodingFault) {
        switch json.kind {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .int(let number): self = .int(number)
        case .tooBig: throw DecodingFault(.malformed, "is beyond 64 signed bits")
        case .double(let number):
            guard let value = Value.number(number) else { throw .expected("a finite number") }
            self = value
        case .text: self = .text(json.text)
        case .array(let array):
            try Self.enter(json, levels)
            self = .array(
                try array.readAll { node throws(DecodingFault) in
                    try Value(node, levels: levels - 1)
                })
        case .object(let object):
            try Self.enter(json, levels)
            self = .object(try Self.members(of: object, levels: levels - 1))
        }
    }

    private static func enter(_ json: JSONNode, _ levels: Int) throws(DecodingFault) {
        guard levels > 0 else {
            throw DecodingFault(.malformed, "is nested deeper than \(json.depth)")
        }
    }

    private static func members(
        of object: JSONObject, levels: Int
    ) throws(DecodingFault) -> [String: Value] {
        var members: [String: Value] = [:]
        for member in object {
            let value = try Value(member.value, levels: levels)
            // Two spellings of one text in Unicode are one key of ours; neither may be lost in
            // silence.
            guard members.updateValue(value, forKey: member.name.text) == nil else {
                throw DecodingFault(.malformed, "names a member twice, spelt in two ways")
            }
        }
        return members
    }

    func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .bool(let flag): writer.bool(flag)
        case .int(let number): writer.int(number)
        case .double(let number): writer.double(number)
        case .text(let text): writer.text(text)
        case .array(let values): values.write(to: &writer)
        case .object(let members):
            writer.object {
                for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                    $0.key(name)
                    value.write(to: &$0)
                }
            }
        }
    }
}

extension Fields: JSONReadable, JSONWritable {
    init(json: JSONNode) throws(DecodingFault) {
        let object = try json.object()
        guard object.count <= Self.few else {
            self = try Self.many(object)
            return
        }
        self.init()
        for member in object {
            let (name, value) = try Self.pair(member)
            self[name] = value
        }
    }

    /// Up to here fields are put in their place one by one; beyond, that would take O(n²).
    private static let few = 64

    private static func many(_ object: JSONObject) throws(DecodingFault) -> Fields {
        var fields: [FieldName: Value] = [:]
        for member in object {
            let (name, value) = try pair(member)
            fields[name] = value
        }
        return Fields(fields)
    }

    private static func pair(
        _ member: (name: JSONNode, value: JSONNode)
    ) throws(DecodingFault) -> (FieldName, Value) {
        let name = try FieldName(json: member.name)
        do { return (name, try Value(json: member.value)) } catch { throw error.inside(name.text) }
    }

    /// A client's fields, within `bounds` if there are any.
    init(json: JSONNode, within bounds: Bounds?) throws(DecodingFault) {
        try bounds?.checkFieldCount(of: json.object())
        try self.init(json: json)
        try bounds?.checkSize(of: self)
    }

    func write(to writer: inout JSONWriter) {
        writer.object {
            for pair in pairs {
                $0.key(pair.name.text)
                pair.value.write(to: &$0)
            }
        }
    }
}

extension Schema: JSONReadable, JSONWritable {
    init(json: JSONNode) throws(DecodingFault) {
        self.init()
        for (nameNode, typeNode) in try json.object() {
            let name = try FieldName(json: nameNode)
            guard let type = FieldType(rawValue: typeNode.text) else {
                throw DecodingFault.expected("text, number, bool, array or object")
                    .inside(name.text)
            }
            types[name] = type
        }
    }

    /// A client's schema, within `bounds` if there are any.
    init(json: JSONNode, within bounds: Bounds?) throws(DecodingFault) {
        try bounds?.checkFieldCount(of: json.object())
        try self.init(json: json)
    }

    func write(to writer: inout JSONWriter) {
        writer.object {
            for (name, type) in types.sorted(by: { $0.key < $1.key }) {
                $0.key(name.text)
                $0.text(type.rawValue)
            }
        }
    }
}
