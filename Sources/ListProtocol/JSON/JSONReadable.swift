/// What can be read from one JSON value. The fault that `init` throws says what was expected;
/// whoever asked for the value adds where.
protocol JSONReadable {
    init(json: JSONNode) throws(DecodingFault)
}

extension JSONNode {
    func object() throws(DecodingFault) -> JSONObject {
        guard case .object(let object) = kind else { throw .expected("an object") }
        return object
    }

    func array() throws(DecodingFault) -> JSONArray {
        guard case .array(let array) = kind else { throw .expected("an array") }
        return array
    }

    /// A whole number of at least `least`.
    func whole(from least: Int64) throws(DecodingFault) -> Int64 {
        guard case .int(let number) = kind, number >= least else {
            throw .expected(
                least == .min
                    ? "a whole number of 64 signed bits" : "a whole number, \(least) or more")
        }
        return number
    }
}

extension JSONObject {
    /// A member that must be there.
    func read<Value: JSONReadable>(
        _ name: StaticString, as type: Value.Type = Value.self
    ) throws(DecodingFault) -> Value {
        try read(name) { node throws(DecodingFault) in try Value(json: node) }
    }

    /// A member that may be left out; `null` is the same as left out.
    func readIfPresent<Value: JSONReadable>(
        _ name: StaticString, as type: Value.Type = Value.self
    ) throws(DecodingFault) -> Value? {
        try readIfPresent(name) { node throws(DecodingFault) in try Value(json: node) }
    }

    /// Reads a member that must be there in a way of its own.
    func read<Value>(
        _ name: StaticString, _ body: (JSONNode) throws(DecodingFault) -> Value
    ) throws(DecodingFault) -> Value {
        guard let node = member(name) else {
            throw DecodingFault(.malformed, "is missing", at: "\(name)")
        }
        do { return try body(node) } catch { throw error.inside("\(name)") }
    }

    /// Reads a member that may be left out in a way of its own.
    func readIfPresent<Value>(
        _ name: StaticString, _ body: (JSONNode) throws(DecodingFault) -> Value
    ) throws(DecodingFault) -> Value? {
        guard let node = member(name), !node.isNull else { return nil }
        do { return try body(node) } catch { throw error.inside("\(name)") }
    }

    /// A flag; left out, it is false.
    func flag(_ name: StaticString) throws(DecodingFault) -> Bool {
        try readIfPresent(name) ?? false
    }
}

extension JSONArray {
    /// The next value, which must be there.
    mutating func read<Value: JSONReadable>(
        as type: Value.Type = Value.self
    ) throws(DecodingFault) -> Value {
        try read { node throws(DecodingFault) in try Value(json: node) }
    }

    /// Reads the next value, which must be there, in a way of its own.
    mutating func read<Value>(
        _ body: (JSONNode) throws(DecodingFault) -> Value
    ) throws(DecodingFault) -> Value {
        let index = taken
        guard let node = next() else {
            throw DecodingFault(.malformed, "is missing", at: "[\(index)]")
        }
        do { return try body(node) } catch { throw error.inside(index) }
    }

    /// Reads all values, each in the same way. More than `limit` are refused before any is read.
    func readAll<Value>(
        limit: Int = .max, _ body: (JSONNode) throws(DecodingFault) -> Value
    ) throws(DecodingFault) -> [Value] {
        let count = count
        guard count <= limit else {
            throw DecodingFault(.tooMany, "holds \(count); the limit is \(limit)")
        }
        var values: [Value] = []
        values.reserveCapacity(count)
        var rest = self
        while rest.taken < count { values.append(try rest.read(body)) }
        return values
    }
}

extension Array: JSONReadable where Element: JSONReadable {
    init(json: JSONNode) throws(DecodingFault) {
        self = try json.array().readAll { node throws(DecodingFault) in try Element(json: node) }
    }
}

extension String: JSONReadable {
    init(json: JSONNode) throws(DecodingFault) {
        guard case .text = json.kind else { throw .expected("a text") }
        self = json.text
    }
}

extension Bool: JSONReadable {
    init(json: JSONNode) throws(DecodingFault) {
        guard case .bool(let flag) = json.kind else { throw .expected("true or false") }
        self = flag
    }
}

extension Int64: JSONReadable {
    init(json: JSONNode) throws(DecodingFault) { self = try json.whole(from: .min) }
}

extension Int: JSONReadable {
    init(json: JSONNode) throws(DecodingFault) { self = Int(try json.whole(from: 0)) }
}

extension UInt64: JSONReadable {
    init(json: JSONNode) throws(DecodingFault) { self = UInt64(try json.whole(from: 0)) }
}
