internal import ListModel

/// Reads a value as a type's `init(from:)` asks for it.
struct FieldDecoder: Decoder {
    /// What it reads: a value, or a whole element.
    enum Source {
        case value(Value)
        case members(Members)
    }

    let source: Source
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(source: Source, codingPath: [any CodingKey]) {
        self.source = source
        self.codingPath = codingPath
    }

    init(value: Value, codingPath: [any CodingKey]) {
        self.init(source: .value(value), codingPath: codingPath)
    }

    var value: Value {
        switch source {
        case .value(let value): value
        case .members(let members): .object(members.object)
        }
    }

    func container<Key: CodingKey>(keyedBy: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let members: Members
        switch source {
        case .members(let whole): members = whole
        case .value(.object(let object)): members = Members(object)
        case .value: throw mismatch([String: Value].self)
        }
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
