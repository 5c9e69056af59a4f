internal import ListModel

/// Between values of an element's type and the fields of a list.
enum ElementCoder {
    /// All fields of an element; what is `nil` is none.
    static func fields<Element: ListElement>(of element: Element) throws(ListError) -> Fields {
        if let record = element as? Record { return record.fields.withoutNulls }
        let value: Value
        do {
            value = try FieldEncoder.encode(element)
        } catch {
            throw unencodable(error, element)
        }
        guard case .object(let members) = value else {
            throw ListError(
                .unencodable, "\(Element.self) encodes to \(value.kind); it must have fields")
        }
        var fields = Fields()
        for (name, value) in members where name != FieldKey.id.stringValue && value != .null {
            guard let name = FieldName(name) else {
                throw ListError(
                    .unencodable, "\"\(name)\" names no field: 1-64 bytes, no control characters")
            }
            fields[name] = value
        }
        return fields
    }

    static func decode<Element: ListElement>(
        _ element: ListModel.Element, as type: Element.Type = Element.self
    ) -> Result<Element, ListError> {
        guard let id = Element.ID(element.id), id.elementID == element.id else {
            return .failure(unsuited(element.id, "its ID is no \(Element.ID.self)"))
        }
        return decode(element.fields, id, as: type)
    }

    static func decode<Element: ListElement>(
        _ fields: Fields, _ id: Element.ID, as type: Element.Type
    ) -> Result<Element, ListError> {
        let elementID = id.elementID ?? .nowhere
        if type == Record.self, let record = Record(id: elementID, fields) as? Element {
            return .success(record)
        }
        do {
            let defaults = try Element.defaults.map(self.fields) ?? Fields()
            let members = Members(fields, id: try coded(id), defaults: defaults)
            let decoded = try Element(
                from: FieldDecoder(source: .members(members), codingPath: []))
            guard decoded.id == id else {
                throw unsuited(elementID, "\(Element.self) does not decode its `id`")
            }
            return .success(decoded)
        } catch {
            return .failure(error as? ListError ?? undecodable(error, elementID))
        }
    }

    /// What is to be written so that an element becomes `after`; what its type does not know stays.
    static func changes<Element: ListElement>(
        from before: Element, to after: Element, in fields: Fields
    ) throws(ListError) -> Fields {
        guard before.id == after.id else {
            throw ListError(
                .badID, "the ID of an element never changes; insert another element instead",
                id: before.id.elementID)
        }
        let old = try self.fields(of: before)
        let new = try self.fields(of: after)
        var changes = old.changes(to: new)
        for pair in changes.pairs {
            guard let known = fields[pair.name], let old = old[pair.name] else { continue }
            changes[pair.name] = known.following(from: old, to: pair.value)
        }
        return changes
    }

    /// The field that alone differs between two elements.
    static func field<Element: ListElement>(
        differing one: Element, _ other: Element
    ) throws(ListError) -> FieldName {
        let names = try fields(of: one).changes(to: try fields(of: other)).names
        guard names.count == 1, let name = names.first else {
            throw ListError(
                .unencodable, "a count needs a number that is a field of its own",
                id: one.id.elementID)
        }
        return name
    }

    /// A number to count by.
    static func number<Number: Encodable>(_ number: Number, of id: ElementID) throws(ListError)
        -> Value
    {
        if let value = try? FieldEncoder.encode(number), value.isNumber { return value }
        throw ListError(
            .notANumber, "\(number) cannot be counted by: it is no JSON number; take another",
            id: id)
    }

    /// As the ID stands in what the type decodes.
    private static func coded<ID: ListElementID>(_ id: ID) throws -> Value {
        switch id {
        case let id as ElementID: .text(id.text)
        case let id as String: .text(id)
        case let id as Int: .int(Int64(id))
        case let id as any Encodable: try FieldEncoder.encode(id)
        default: .text(id.elementID?.text ?? "")
        }
    }

    private static func unsuited(_ id: ElementID, _ why: String) -> ListError {
        ListError(.undecodable, saying: "\(id) cannot be read: \(why)", id: id)
    }

    private static func undecodable(_ error: any Error, _ id: ElementID) -> ListError {
        guard let error = error as? DecodingError else { return unsuited(id, "\(error)") }
        switch error {
        case .typeMismatch(let type, let context):
            return unsuited(id, "\(context.place)\(context.debugDescription), no \(type)")
        case .keyNotFound(let key, _): return unsuited(id, "it has no \(key.stringValue)")
        case .valueNotFound(_, let context), .dataCorrupted(let context):
            return unsuited(id, context.place + context.debugDescription)
        @unknown default: return unsuited(id, "\(error)")
        }
    }

    private static func unencodable<Element: ListElement>(_ error: any Error, _ element: Element)
        -> ListError
    {
        var why = "\(error)"
        if case EncodingError.invalidValue(_, let context) = error {
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            why = "\(path): \(context.debugDescription)"
        }
        return ListError(
            .unencodable, saying: "it cannot be stored: \(why)", id: element.id.elementID)
    }
}

extension DecodingError.Context {
    /// Where it was, for people.
    fileprivate var place: String {
        codingPath.isEmpty ? "" : codingPath.map(\.stringValue).joined(separator: ".") + ": "
    }
}

extension Value {
    /// This value with the difference between two others made in it: the members of an object that
    /// neither of them has stay.
    fileprivate func following(from old: Value, to new: Value) -> Value {
        guard case .object(var members) = self, case .object(let old) = old,
            case .object(let new) = new
        else { return new }
        for key in Set(old.keys).union(new.keys) where old[key] != new[key] {
            guard let after = new[key] else {
                members[key] = nil
                continue
            }
            members[key] =
                old[key].flatMap { members[key]?.following(from: $0, to: after) } ?? after
        }
        return .object(members)
    }
}
