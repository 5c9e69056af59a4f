/// The fields of an element, or the changes of a `set`: names to values, in name order.
///
/// A handful of fields is the rule, so they stand in one sorted array: look-up is O(log n), a
/// change O(n) in the number of fields (at most `Limits.fields`). In changes, `.null` means
/// "remove".
public struct Fields: Hashable, Sendable {
    /// The fields, in the order of their names.
    public private(set) var pairs: [Pair]

    /// One field.
    public struct Pair: Hashable, Sendable {
        /// Its name.
        public let name: FieldName
        /// Its value.
        public var value: Value
    }

    /// No fields.
    public init() { pairs = [] }

    /// Fields of a dictionary.
    public init(_ fields: [FieldName: Value]) {
        pairs = fields.map { Pair(name: $0.key, value: $0.value) }.sorted { $0.name < $1.name }
    }

    /// How many there are.
    public var count: Int { pairs.count }
    /// Whether there is none.
    public var isEmpty: Bool { pairs.isEmpty }
    /// Their names, in order.
    public var names: [FieldName] { pairs.map(\.name) }

    /// The value of a field; `nil` where there is no such field.
    public subscript(name: FieldName) -> Value? {
        get { index(of: name).map { pairs[$0].value } }
        set {
            switch (index(of: name), newValue) {
            case (let at?, let value?): pairs[at].value = value
            case (let at?, nil): pairs.remove(at: at)
            case (nil, let value?):
                pairs.insert(Pair(name: name, value: value), at: position(of: name))
            case (nil, nil): break
            }
        }
    }

    /// Writes `changes` over these fields; a `.null` removes its field.
    package mutating func write(_ changes: Fields) {
        for change in changes.pairs {
            self[change.name] = change.value.isNull ? nil : change.value
        }
    }

    package func writing(_ changes: Fields) -> Fields {
        var result = self
        result.write(changes)
        return result
    }

    /// Those of `changes` that would alter these fields.
    package func effective(_ changes: Fields) -> Fields {
        if changes.pairs.allSatisfy({ (self[$0.name] ?? .null) != $0.value }) { return changes }
        var result = Fields()
        result.pairs = changes.pairs.filter { (self[$0.name] ?? .null) != $0.value }
        return result
    }

    /// The changes that turn these fields into `target`, removals included.
    package func changes(to target: Fields) -> Fields {
        var result = target
        for pair in pairs {
            if target[pair.name] == pair.value {
                result[pair.name] = nil
            } else if target[pair.name] == nil {
                result[pair.name] = .null
            }
        }
        return result
    }

    /// These fields without those that are null.
    package var withoutNulls: Fields {
        guard pairs.contains(where: { $0.value.isNull }) else { return self }
        var result = self
        result.pairs.removeAll { $0.value.isNull }
        return result
    }

    /// What `names` have here; `.null` for what is not there.
    package func values(of names: [FieldName]) -> Fields {
        var result = Fields()
        for name in names { result[name] = self[name] ?? .null }
        return result
    }

    /// Where a field stands; few are looked through from the front.
    private func index(of name: FieldName) -> Int? {
        if pairs.count <= 4 { return pairs.firstIndex { $0.name == name } }
        let at = position(of: name)
        return at < pairs.count && pairs[at].name == name ? at : nil
    }

    private func position(of name: FieldName) -> Int {
        var low = 0
        var high = pairs.count
        while low < high {
            let middle = (low + high) / 2
            if pairs[middle].name < name { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension Fields: ExpressibleByDictionaryLiteral {
    /// For literals in programs; names that break the rule of `FieldName` are left out.
    public init(dictionaryLiteral elements: (String, Value)...) {
        self.init()
        for (name, value) in elements {
            if let name = FieldName(name) { self[name] = value }
        }
    }
}

extension Fields {
    /// Size for limits: texts by their bytes, everything else by a fixed estimate of its JSON.
    package var byteCount: Int {
        pairs.reduce(2) { $0 + $1.name.text.utf8.count + $1.value.byteCount + 4 }
    }
}

extension Value {
    package var byteCount: Int {
        switch self {
        case .null, .bool: 5
        case .int, .double: 8
        case .text(let text): text.utf8.count + 2
        case .array(let values): values.reduce(2) { $0 + $1.byteCount + 1 }
        case .object(let members):
            members.reduce(2) { $0 + $1.key.utf8.count + $1.value.byteCount + 4 }
        }
    }
}
