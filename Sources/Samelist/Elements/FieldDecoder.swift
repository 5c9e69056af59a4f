internal import ListModel

/// Reads a value as a type's `init(from:)` asks for it.
struct FieldDecoder: Decoder {
    let value: Value
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = value else { throw mismatch([String: Value].self) }
        return KeyedDecodingContainer(ObjectReader(members: members, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let values) = value else { throw mismatch([Value].self) }
        return ArrayReader(values: values, codingPath: codingPath)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func mismatch<Type>(_ type: Type.Type) -> DecodingError {
        .typeMismatch(
            type,
            DecodingError.Context(
                codingPath: codingPath, debugDescription: "it is \(value.kind)"))
    }

    /// A number without a fraction, where it fits.
    func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        guard case .int(let int) = value else { throw mismatch(type) }
        guard let number = Number(exactly: int) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: codingPath, debugDescription: "\(int) does not fit \(type)"))
        }
        return number
    }

    func number() throws -> Double {
        switch value {
        case .int(let int): Double(int)
        case .double(let double): double
        default: throw mismatch(Double.self)
        }
    }
}

extension FieldDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value == .null }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard case .bool(let bool) = value else { throw mismatch(type) }
        return bool
    }

    func decode(_ type: String.Type) throws -> String {
        guard case .text(let text) = value else { throw mismatch(type) }
        return text
    }

    func decode(_ type: Double.Type) throws -> Double { try number() }
    func decode(_ type: Float.Type) throws -> Float { Float(try number()) }
    func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }

    func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
        try Plain.read(type, from: self) ?? Decoded(from: self)
    }
}

extension Value {
    /// What it is, for people.
    var kind: String {
        switch self {
        case .null: "nothing"
        case .bool: "true or false"
        case .int, .double: "a number"
        case .text: "a text"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// The members of an object by key.
struct ObjectReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [String: Value]
    let codingPath: [any CodingKey]

    var allKeys: [Key] { members.keys.sorted().compactMap { Key(stringValue: $0) } }

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
