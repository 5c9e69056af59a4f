internal import ListModel

/// An element as an editor shows it, whatever becomes of its fields.
///
/// Where the fields no longer decode, because another program wrote what the type does not know,
/// those are taken that still do: what was typed shows, and what cannot be read stays as it was.
@MainActor
struct Readable<Element: ListElement> {
    private(set) var element: Element
    /// What is followed.
    private var fields: Fields
    /// What the element was decoded from.
    private var read: Fields

    init(_ element: Element, _ fields: Fields) {
        self.element = element
        self.fields = fields
        read = fields
    }

    /// Nothing where the fields are as they were; otherwise decodes once, and where that fails once
    /// for each field that differs.
    mutating func follow(_ fields: Fields) {
        guard fields != self.fields else { return }
        self.fields = fields
        if take(fields) { return }
        for change in read.changes(to: fields).pairs {
            var some = read
            some[change.name] = change.value == .null ? nil : change.value
            _ = take(some)
        }
    }

    private mutating func take(_ fields: Fields) -> Bool {
        guard let element = try? ElementCoder.decode(fields, element.id, as: Element.self).get()
        else { return false }
        self.element = element
        read = fields
        return true
    }
}
