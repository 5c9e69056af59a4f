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
/// nothing of the values that properties begin with, so an optional is `nil` then, anything else as
/// in `defaults`; and where there are none the element does not decode.
public protocol ListElement: Codable, Identifiable, Sendable where ID: ListElementID {
    /// An element whose fields stand for those that are not there; its ID does not matter. With
    /// it, what other programs write decodes, and a property can be added to the type later:
    ///
    /// ```swift
    /// struct Task: ListElement {
    ///     var id = ElementID.new()
    ///     var title: String
    ///     var isDone = false
    ///
    ///     static var defaults: Task? { Task(title: "") }
    /// }
    /// ```
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
    /// What stands for the ID of a row whose element's ID is no value of this type: the same for
    /// the same ID, and as far as can be no other's.
    init(standingFor elementID: ElementID)
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
    /// Itself.
    public init(standingFor elementID: ElementID) { self = elementID }
}

extension String: ListElementID {
    /// Its text.
    public init?(_ elementID: ElementID) { self = elementID.text }
    /// `nil` where the text has spaces, is empty, or longer than 64 bytes.
    public var elementID: ElementID? { ElementID(self) }
    /// Its text.
    public init(standingFor elementID: ElementID) { self = elementID.text }
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
    /// A digest of the text.
    public init(standingFor elementID: ElementID) {
        let digits = [UInt64(1), 2].map { seed in
            let half = String(elementID.digest(seed), radix: 16)
            return String(repeating: "0", count: 16 - half.count) + half
        }.joined()
        var text = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text += "-" }
            text.append(digit)
        }
        self = UUID(uuidString: text) ?? UUID()
    }
}

extension ListElementID where Self: FixedWidthInteger {
    /// Only in its one spelling, without signs and zeroes in front.
    public init?(_ elementID: ElementID) {
        guard let number = Self(elementID.text), "\(number)" == elementID.text else { return nil }
        self = number
    }
    /// Its digits.
    public var elementID: ElementID? { ElementID("\(self)") }
    /// A digest of the text; negative, where the type knows such numbers.
    public init(standingFor elementID: ElementID) {
        let top: Self = 1 << (Self.bitWidth - 1)
        self = Self(truncatingIfNeeded: elementID.digest(1)) | top
    }
}

extension ElementID {
    /// FNV-1a of the text: the same in every run.
    fileprivate func digest(_ seed: UInt64) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325 ^ seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

extension Int: ListElementID {}
extension Int32: ListElementID {}
extension Int64: ListElementID {}
extension UInt32: ListElementID {}
