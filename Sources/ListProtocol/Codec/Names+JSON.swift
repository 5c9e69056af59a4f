internal import ListModel

/// A checked text: the wrong JSON type is `malformed`, a text that breaks the rule `bad_name`.
protocol JSONName: Identifier, JSONReadable, JSONWritable {
    /// What such a name is, for the sentence of a fault.
    static var rule: StaticString { get }
}

extension JSONName {
    init(json: JSONNode) throws(DecodingFault) {
        guard case .text = json.kind else { throw .expected("\(Self.rule)") }
        guard let name = Self(json.text) else {
            throw DecodingFault(.badName, "must be \(Self.rule)")
        }
        self = name
    }

    func write(to writer: inout JSONWriter) { writer.text(text) }
}

extension ListName: JSONName {
    static var rule: StaticString {
        "a list name: 1-64 of a-z 0-9 . _ -, a letter or digit first"
    }
}

extension ElementID: JSONName {
    static var rule: StaticString { "an element ID: 1-64 bytes of printable ASCII without spaces" }
}

extension FieldName: JSONName {
    static var rule: StaticString { "a field name: 1-64 bytes without control characters" }
}

extension ClientID: JSONName {
    static var rule: StaticString { "a client ID: 1-64 of a-z A-Z 0-9 _ -" }
}

extension UserName: JSONName {
    static var rule: StaticString { "a user name: 1-64 bytes without control characters" }
}

extension Epoch: JSONReadable, JSONWritable {
    init(json: JSONNode) throws(DecodingFault) {
        guard let epoch = Epoch(json.text) else {
            throw .expected("an epoch: two words with a dot between, 64 bytes at most")
        }
        self = epoch
    }

    func write(to writer: inout JSONWriter) { writer.text(description) }
}

extension Code: JSONReadable, JSONWritable {
    init(json: JSONNode) throws(DecodingFault) {
        guard let code = Code(rawValue: json.text) else { throw .expected("a code of version 1") }
        self = code
    }

    func write(to writer: inout JSONWriter) { writer.text(rawValue) }
}

extension Version: JSONReadable, JSONWritable {
    init(json: JSONNode) throws(DecodingFault) { self.init(try UInt64(json: json)) }
    func write(to writer: inout JSONWriter) { writer.int(number) }
}

extension MutationNumber: JSONReadable, JSONWritable {
    init(json: JSONNode) throws(DecodingFault) { self.init(try UInt64(json: json)) }
    func write(to writer: inout JSONWriter) { writer.int(number) }
}

extension Timestamp: JSONReadable, JSONWritable {
    init(json: JSONNode) throws(DecodingFault) { self.init(milliseconds: try Int64(json: json)) }
    func write(to writer: inout JSONWriter) { writer.int(milliseconds) }
}

/// `["EPOCH",12]`.
extension Position: JSONReadable, JSONWritable {
    init(json: JSONNode) throws(DecodingFault) {
        var parts = try json.array()
        self.init(epoch: try parts.read(), version: try parts.read())
    }

    func write(to writer: inout JSONWriter) {
        writer.array {
            epoch.write(to: &$0)
            version.write(to: &$0)
        }
    }
}
