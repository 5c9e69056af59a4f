/// The optional types of a list's fields; a write that breaks it is refused `wrong_type`. Fields
/// that it does not name are free.
public struct Schema: Hashable, Sendable {
    public enum FieldType: String, Hashable, Sendable, CaseIterable {
        case text
        case number
        case bool
        case array
        case object
    }

    public var types: [FieldName: FieldType]

    public init(_ types: [FieldName: FieldType] = [:]) { self.types = types }

    /// The first of `changes` that breaks the schema; removals never do.
    package func firstBreach(in changes: Fields) -> FieldName? {
        changes.pairs.first { pair in
            guard pair.value != .null, let type = types[pair.name] else { return false }
            return !type.admits(pair.value)
        }?.name
    }
}

extension Schema.FieldType {
    package func admits(_ value: Value) -> Bool {
        switch (self, value) {
        case (.text, .text), (.number, .int), (.number, .double), (.bool, .bool), (.array, .array),
            (.object, .object):
            true
        default: false
        }
    }
}
