public import ListModel

/// An element without a type of its own: its ID and all its fields, for programs that do not know
/// beforehand what a list holds.
public struct Record: ListElement, Hashable {
    /// The ID of the element.
    public var id: ElementID
    /// All its fields.
    public var fields: Fields

    /// An element of these fields, by default with a fresh ID.
    public init(id: ElementID = .new(), _ fields: Fields = Fields()) {
        self.id = id
        self.fields = fields
    }

    /// The field of this name; `nil` where there is none, or the name is none.
    public subscript(name: String) -> Value? {
        get { FieldName(name).flatMap { fields[$0] } }
        set {
            guard let name = FieldName(name) else { return }
            fields[name] = newValue
        }
    }

    /// The text that clients show of an element by default.
    public var title: String { fields[.title]?.text ?? "" }
}

extension Record: Codable {
    /// All members but `id` are fields.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: FieldKey.self)
        id = try container.decode(ElementID.self, forKey: .id)
        fields = Fields()
        for key in container.allKeys where key != .id {
            guard let name = FieldName(key.stringValue) else { continue }
            fields[name] = try container.decode(Value.self, forKey: key)
        }
    }

    /// The fields beside the ID.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: FieldKey.self)
        try container.encode(id, forKey: .id)
        for pair in fields.pairs {
            try container.encode(pair.value, forKey: FieldKey(pair.name.text))
        }
    }
}

/// A name that is known only at run time, as a key.
struct FieldKey: CodingKey, Equatable {
    let stringValue: String
    let intValue: Int?

    /// The key of an element's ID, which is no field.
    static let id = FieldKey("id")

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init(_ index: Int) {
        stringValue = "\(index)"
        intValue = index
    }

    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { self.init(intValue) }
}

extension Fields {
    /// The value under this name; `nil` where there is none, or the name is none.
    public subscript(name: String) -> Value? { FieldName(name).flatMap { self[$0] } }
}
