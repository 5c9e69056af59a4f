public import FoundationEssentials
public import ListModel

/// What a list holds: a `Codable` value with an identity.
///
/// ```swift
/// struct Todo: ListElement {
///     var id = ElementID.new()
///     var title: String
///     var done = false
///     var owner: String? = nil
/// }
/// ```
///
/// Each stored property becomes a field of its own, so that two people who change different ones
/// both have their way; `id` becomes the element's ID and is no field. `nil` is the absence of the
/// field. Dates become ISO 8601 text in UTC with milliseconds, `UUID` and `URL` text, `Data` base64
/// text, `Decimal` text; nested values become objects, arrays arrays. Fields that the type does not
/// know are kept.
///
/// Others may have written an element without a field that the type has. Swift's `Codable` knows
/// nothing of the values that properties begin with, so: an optional is `nil` then, a number 0, a
/// `Bool` false, anything else as in `defaults`; and where these are silent the element does not
/// decode.
public protocol ListElement: Codable, Identifiable, Sendable where ID: ListElementID {
    /// An element whose fields stand for those that are not there; its ID does not matter.
    static var defaults: Self? { get }
}

extension ListElement {
    /// None.
    public static var defaults: Self? { nil }
}

/// What can stand for the ID of an element: `ElementID`, `String`, `UUID` and the integers.
public protocol ListElementID: Hashable, Sendable {
    /// `nil` where the element's ID is no value of this type.
    init?(_ elementID: ElementID)
    /// `nil` where this value cannot be an element's ID: 1-64 bytes of printable ASCII without
    /// spaces.
    var elementID: ElementID? { get }
}

extension ElementID {
    /// A fresh ID: 40 random bits, short enough to be typed.
    public static func new() -> ElementID { Fresh.element() }
}

extension ElementID: ListElementID {
    /// Itself.
    public init?(_ elementID: ElementID) { self = elementID }
    /// Itself.
    public var elementID: ElementID? { self }
}

extension String: ListElementID {
    /// Its text.
    public init?(_ elementID: ElementID) { self = elementID.text }
    /// `nil` where the text has spaces, is empty, or longer than 64 bytes.
    public var elementID: ElementID? { ElementID(self) }
}

extension UUID: ListElementID {
    /// Only in capitals, as `uuidString` has it: two spellings would be two elements.
    public init?(_ elementID: ElementID) {
        guard let uuid = UUID(uuidString: elementID.text), uuid.uuidString == elementID.text else {
            return nil
        }
        self = uuid
    }
    /// Its 36 characters, in capitals.
    public var elementID: ElementID? { ElementID(uuidString) }
}

extension ListElementID where Self: FixedWidthInteger {
    /// Only in its one spelling, without signs and zeroes in front.
    public init?(_ elementID: ElementID) {
        guard let number = Self(elementID.text), "\(number)" == elementID.text else { return nil }
        self = number
    }
    /// Its digits.
    public var elementID: ElementID? { ElementID("\(self)") }
}

extension Int: ListElementID {}
extension Int32: ListElementID {}
extension Int64: ListElementID {}
extension UInt32: ListElementID {}
