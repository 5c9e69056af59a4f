/// FNV-1a over 64 bits (Fowler, Noll, Vo): tells two contents under one number apart. It guards a
/// client against its own mistakes, so nothing hangs on anybody being unable to forge it.
struct Digest {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }

    mutating func add(_ number: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) {
            add(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    mutating func add(_ text: String) {
        add(UInt64(text.utf8.count))
        for byte in text.utf8 { add(byte) }
    }

    mutating func add(_ value: Value) {
        switch value {
        case .null: add(UInt8(0))
        case .bool(let bool): add(bool ? UInt8(2) : 1)
        case .int(let number):
            add(UInt8(3))
            add(UInt64(bitPattern: number))
        case .double(let number):
            add(UInt8(4))
            add(number.bitPattern)
        case .text(let text):
            add(UInt8(5))
            add(text)
        case .array(let values):
            add(UInt8(6))
            add(UInt64(values.count))
            for value in values { add(value) }
        case .object(let members):
            add(UInt8(7))
            add(UInt64(members.count))
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                add(name)
                add(value)
            }
        }
    }

    mutating func add(_ fields: Fields) {
        add(UInt64(fields.count))
        for pair in fields.pairs {
            add(pair.name.text)
            add(pair.value)
        }
    }

    mutating func add(_ place: Place) {
        switch place {
        case .first: add(UInt8(0))
        case .last: add(UInt8(1))
        case .after(let id):
            add(UInt8(2))
            add(id.text)
        case .before(let id):
            add(UInt8(3))
            add(id.text)
        }
    }
}

extension Mutation {
    /// The same for the same operations, however they were spelt on the wire.
    package var digest: UInt64 {
        var digest = Digest()
        digest.add(atomic ? UInt8(1) : 0)
        for operation in operations {
            digest.add(operation.intent)
            digest.add(operation.condition)
        }
        return digest.value
    }
}

extension Digest {
    fileprivate mutating func add(_ intent: Operation.Intent) {
        switch intent {
        case .insert(let id, let place, let fields):
            add(UInt8(1))
            add(id.text)
            add(place)
            add(fields.withoutNulls)
        case .set(let id, let changes):
            add(UInt8(2))
            add(id.text)
            add(changes)
        case .count(let id, let name, let by):
            add(UInt8(3))
            add(id.text)
            add(name.text)
            add(by)
        case .move(let ids, let place):
            add(UInt8(4))
            for id in ids { add(id.text) }
            add(place)
        case .delete(let id, let unlessEdited):
            add(unlessEdited ? UInt8(6) : 5)
            add(id.text)
        case .restore(let id):
            add(UInt8(7))
            add(id.text)
        case .describe(let title, let schema):
            add(UInt8(8))
            add(title ?? "")
            add(title == nil ? UInt8(0) : 1)
            for (name, type) in (schema?.types ?? [:]).sorted(by: { $0.key < $1.key }) {
                add(name.text)
                add(type.rawValue)
            }
            add(schema == nil ? UInt8(0) : 1)
        case .forget(let ids):
            add(UInt8(9))
            for id in ids { add(id.text) }
        }
    }

    fileprivate mutating func add(_ condition: Condition?) {
        guard let condition, !condition.isEmpty else { return add(UInt8(0)) }
        add(UInt8(1))
        add(condition.fields ?? Fields())
        add(condition.version?.number ?? .max)
        add(condition.placed?.number ?? .max)
        add(condition.needs?.number ?? .max)
    }
}
