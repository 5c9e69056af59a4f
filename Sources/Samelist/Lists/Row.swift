public import FoundationEssentials
public import ListModel

/// One row of a list: its element, or why that cannot be read.
///
/// An element that some other program wrote otherwise than its type expects is still a row, at its
/// place, with its ID: it can be shown, moved and removed, and the rows around it are not touched
/// by it. The element's own properties are read through the row, as optionals: `row.title`.
@dynamicMemberLookup
public struct Row<Element: ListElement>: Identifiable, Sendable {
    /// The element's ID as the list has it.
    public let id: ElementID
    /// The element, or why its fields are none.
    public let result: Result<Element, ListError>
    /// The fields as the list has them, those included that the type does not know.
    public let fields: Fields
    /// The entry that last changed it.
    public let version: Version
    /// Who made that change.
    public let by: UserName
    /// When that was.
    public let at: Date

    /// `nil` where the fields are no such element.
    public var element: Element? { try? result.get() }

    /// Why the fields are no such element; `nil` where they are.
    public var error: ListError? {
        if case .failure(let error) = result { return error }
        return nil
    }

    /// A property of the element; `nil` where there is no element.
    public subscript<Value>(dynamicMember path: KeyPath<Element, Value>) -> Value? {
        element?[keyPath: path]
    }

    /// A property of the element; `nil` where it is, or there is no element.
    public subscript<Value>(dynamicMember path: KeyPath<Element, Value?>) -> Value? {
        element?[keyPath: path]
    }
}
