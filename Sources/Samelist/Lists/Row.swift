public import FoundationEssentials
public import ListModel

/// One row of a list: its element, or why that cannot be read.
///
/// An element that some other program wrote otherwise than its type expects is still a row, at its
/// place, with its ID: it can be shown, moved and removed, and the rows around it are not touched
/// by it. The element's own properties are read through the row, as optionals: `row.title`. What
/// the list knows of the row beside its element stands under `meta`.
@dynamicMemberLookup
public struct Row<Element: ListElement>: Identifiable, Sendable {
    /// The element's ID, also where the element cannot be read. Where another program chose an ID
    /// that is none of this type, something that stands for it: always the same, found in no list.
    public let id: Element.ID
    /// The element; `nil` where the fields are none: `meta.error` says why.
    public var element: Element? { try? meta.result.get() }
    /// What the list knows of the row.
    public let meta: Meta

    /// What a list knows of a row beside its element.
    public struct Meta: Sendable {
        /// The element, or why its fields are none.
        public let result: Result<Element, ListError>
        /// The element's ID as the list has it.
        public let elementID: ElementID
        /// The fields as the list has them, those included that the type does not know.
        public let fields: Fields
        /// The entry that last changed it.
        public let version: Version
        /// Who made that change.
        public let changedBy: UserName
        /// When that was.
        public let changedAt: Date

        /// Why the fields are no such element; `nil` where they are.
        public var error: ListError? {
            if case .failure(let error) = result { return error }
            return nil
        }
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

extension Row {
    init(_ element: ListModel.Element) {
        id = Element.ID(element.id) ?? Element.ID(standingFor: element.id)
        meta = Meta(
            result: ElementCoder.decode(element), elementID: element.id, fields: element.fields,
            version: element.version, changedBy: element.by, changedAt: Date(element.at))
    }

    /// What stands at an index at which nothing stands. No element has its ID.
    init(outside index: Int) {
        let error = ListError(.noSuchElement, "there is no row \(index); look at the list again")
        id = Element.ID(standingFor: .nowhere)
        meta = Meta(
            result: .failure(error), elementID: .nowhere, fields: Fields(), version: .zero,
            changedBy: .nobody, changedAt: Date(timeIntervalSince1970: 0))
    }
}

extension Date {
    init(_ time: Timestamp) {
        self.init(timeIntervalSince1970: Double(time.milliseconds) / 1_000)
    }
}
