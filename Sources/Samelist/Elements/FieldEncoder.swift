internal import ListModel

/// Writes what a type's `encode(to:)` says into a value.
struct FieldEncoder: Encoder {
    let sheet: Sheet
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(ObjectWriter(sheet: sheet.object(), codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        ArrayWriter(sheet: sheet.array(), codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    static func encode<Encoded: Encodable>(_ encoded: Encoded, at path: [any CodingKey] = [])
        throws -> Value
    {
        if let plain = try Plain.write(encoded, at: path) { return plain }
        let sheet = Sheet()
        try encoded.encode(to: FieldEncoder(sheet: sheet, codingPath: path))
        return sheet.value
    }

    /// A number that JSON has.
    static func number<Number: BinaryFloatingPoint>(_ number: Number, at path: [any CodingKey])
        throws -> Value
    {
        if let value = Value.number(Double(number)) { return value }
        throw unfit(number, "JSON has no such number", path)
    }

    static func integer<Number: FixedWidthInteger>(_ number: Number, at path: [any CodingKey])
        throws -> Value
    {
        if let int = Int64(exactly: number) { return .int(int) }
        throw unfit(number, "it does not fit 64 signed bits", path)
    }

    private static func unfit<Number>(_ number: Number, _ why: String, _ path: [any CodingKey])
        -> EncodingError
    {
        .invalidValue(
            number, EncodingError.Context(codingPath: path, debugDescription: "\(number): \(why)"))
    }
}

/// A value under construction. Containers of one encoder write on the same one, as `Codable` wants
/// it.
final class Sheet {
    private enum Content {
        case nothing
        case value(Value)
        case members([String: Sheet])
        case values([Sheet])
    }

    private var content = Content.nothing

    var value: Value {
        switch content {
        case .nothing: .object([:])
        case .value(let value): value
        case .members(let members): .object(members.mapValues(\.value))
        case .values(let sheets): .array(sheets.map(\.value))
        }
    }

    var count: Int {
        if case .values(let sheets) = content { return sheets.count }
        return 0
    }

    func write(_ value: Value) { content = .value(value) }

    func object() -> Sheet {
        if case .members = content { return self }
        content = .members([:])
        return self
    }

    func array() -> Sheet {
        if case .values = content { return self }
        content = .values([])
        return self
    }

    /// A sheet under a key, of its own or as it is.
    func member(_ key: any CodingKey) -> Sheet {
        guard case .members(var members) = content else { return self }
        if let sheet = members[key.stringValue] { return sheet }
        let sheet = Sheet()
        content = .nothing
        members[key.stringValue] = sheet
        content = .members(members)
        return sheet
    }

    /// A sheet behind the others.
    func next() -> Sheet {
        guard case .values(var sheets) = content else { return self }
        let sheet = Sheet()
        content = .nothing
        sheets.append(sheet)
        content = .values(sheets)
        return sheet
    }
}

extension FieldEncoder: SingleValueEncodingContainer {
    func encodeNil() { sheet.write(.null) }
    func encode(_ value: Bool) { sheet.write(.bool(value)) }
    func encode(_ value: String) { sheet.write(.text(value)) }
    func encode(_ value: Double) throws { try write(Self.number(value, at: codingPath)) }
    func encode(_ value: Float) throws { try write(Self.number(value, at: codingPath)) }
    func encode(_ value: Int) throws { try write(Self.integer(value, at: codingPath)) }
    func encode(_ value: Int8) throws { try write(Self.integer(value, at: codingPath)) }
    func encode(_ value: Int16) throws { try write(Self.integer(value, at: codingPath)) }
    func encode(_ value: Int32) throws { try write(Self.integer(value, at: codingPath)) }
    func encode(_ value: Int64) throws { try write(Self.integer(value, at: codingPath)) }
    func encode(_ value: UInt) throws { try write(Self.integer(value, at: codingPath)) }
    func encode(_ value: UInt8) throws { try write(Self.integer(value, at: codingPath)) }
    func encode(_ value: UInt16) throws { try write(Self.integer(value, at: codingPath)) }
    func encode(_ value: UInt32) throws { try write(Self.integer(value, at: codingPath)) }
    func encode(_ value: UInt64) throws { try write(Self.integer(value, at: codingPath)) }

    func encode<Encoded: Encodable>(_ value: Encoded) throws {
        if let plain = try Plain.write(value, at: codingPath) { return sheet.write(plain) }
        try value.encode(to: self)
    }

    private func write(_ value: Value) { sheet.write(value) }
}

/// The members of an object, by key.
struct ObjectWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let sheet: Sheet
    let codingPath: [any CodingKey]

    func encodeNil(forKey key: Key) throws { sheet.member(key).write(.null) }

    func encode<Encoded: Encodable>(_ value: Encoded, forKey key: Key) throws {
        try encoder(key).encode(value)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type, forKey key: Key)
        -> KeyedEncodingContainer<Nested>
    {
        encoder(key).container(keyedBy: keyedBy)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder(FieldKey("super")) }
    func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }

    private func encoder(_ key: any CodingKey) -> FieldEncoder {
        FieldEncoder(sheet: sheet.member(key), codingPath: codingPath + [key])
    }
}

/// The values of an array, one behind the other.
struct ArrayWriter: UnkeyedEncodingContainer {
    let sheet: Sheet
    let codingPath: [any CodingKey]
    var count: Int { sheet.count }

    func encodeNil() throws { sheet.next().write(.null) }

    func encode<Encoded: Encodable>(_ value: Encoded) throws { try encoder().encode(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type)
        -> KeyedEncodingContainer<Nested>
    {
        encoder().container(keyedBy: keyedBy)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }

    func superEncoder() -> any Encoder { encoder() }

    private func encoder() -> FieldEncoder {
        FieldEncoder(sheet: sheet.next(), codingPath: codingPath + [FieldKey(count - 1)])
    }
}
