internal import ListModel

/// The members of an object: those of a value, or an element's fields and its ID.
struct Members {
    private enum Kind {
        case object([String: Value])
        case element(Fields, id: Value)
    }

    private let kind: Kind
    /// What stands for fields that are not there.
    private let defaults: Fields

    init(_ object: [String: Value]) {
        kind = .object(object)
        defaults = Fields()
    }

    init(_ fields: Fields, id: Value, defaults: Fields) {
        kind = .element(fields, id: id)
        self.defaults = defaults
    }

    subscript(name: String) -> Value? {
        switch kind {
        case .object(let object): return object[name]
        case .element(let fields, let id):
            if name == FieldKey.id.stringValue { return id }
            // A handful of fields is found faster by looking than by halving.
            return fields.pairs.first { $0.name.text == name }?.value
                ?? defaults.pairs.first { $0.name.text == name }?.value
        }
    }

    var object: [String: Value] {
        switch kind {
        case .object(let object): return object
        case .element(let fields, let id):
            var object = Dictionary(
                (defaults.pairs + fields.pairs).map { ($0.name.text, $0.value) },
                uniquingKeysWith: { $1 })
            object[FieldKey.id.stringValue] = id
            return object
        }
    }
}

/// The members of an object by key.
struct ObjectReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: Members
    let codingPath: [any CodingKey]

    var allKeys: [Key] { members.object.keys.sorted().compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try value(key) == .null }

    func decode<Decoded: Decodable>(_ type: Decoded.Type, forKey key: Key) throws -> Decoded {
        try decoder(key).decode(type)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
        -> KeyedDecodingContainer<Nested>
    {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { decoder(FieldKey("super"), .null) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func value(_ key: Key) throws -> Value {
        if let value = members[key.stringValue] { return value }
        throw DecodingError.keyNotFound(
            key, DecodingError.Context(codingPath: codingPath, debugDescription: "it is missing"))
    }

    private func decoder(_ key: Key) throws -> FieldDecoder { decoder(key, try value(key)) }

    private func decoder(_ key: any CodingKey, _ missing: Value) -> FieldDecoder {
        FieldDecoder(
            value: members[key.stringValue] ?? missing, codingPath: codingPath + [key])
    }
}

/// The values of an array, one after the other.
struct ArrayReader: UnkeyedDecodingContainer {
    let values: [Value]
    let codingPath: [any CodingKey]
    var currentIndex = 0

    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex >= values.count }

    init(values: [Value], codingPath: [any CodingKey]) {
        self.values = values
        self.codingPath = codingPath
    }

    mutating func decodeNil() throws -> Bool {
        guard try next(Value.self).value == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
        let decoded = try next(type).decode(type)
        currentIndex += 1
        return decoded
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws
        -> KeyedDecodingContainer<Nested>
    {
        let container = try next(type).container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try next([Value].self).unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try next(Value.self)
        currentIndex += 1
        return decoder
    }

    private func next<Type>(_ type: Type.Type) throws -> FieldDecoder {
        let path = codingPath + [FieldKey(currentIndex)]
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                type, DecodingError.Context(codingPath: path, debugDescription: "it is missing"))
        }
        return FieldDecoder(value: values[currentIndex], codingPath: path)
    }
}
