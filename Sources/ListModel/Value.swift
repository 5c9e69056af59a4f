/// The JSON value of a field.
///
/// A number without a fraction that fits 64 signed bits is an `int`, whatever its spelling was, so
/// that equal numbers are equal values on every side (RFC 8259, section 6, leaves precision to us).
public enum Value: Hashable, Sendable {
    /// Nothing; written to a field, it removes it.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number.
    case int(Int64)
    /// A number with a fraction.
    case double(Double)
    /// Text.
    case text(String)
    /// Values in order.
    case array([Value])
    /// Values by name.
    case object([String: Value])

    /// Texts are equal where their bytes are, so that every language finds the same values equal.
    public static func == (left: Value, right: Value) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.text(let left), .text(let right)): left.hasSameBytes(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// A finite number in its one spelling; `nil` for NaN and the infinities, which JSON has not.
    public static func number(_ number: Double) -> Value? {
        // Not `Int64(exactly:)`: it calls the C library's `floor`, which pure programs do not link.
        guard number.isFinite else { return nil }
        if number >= -0x1p63, number < 0x1p63, Double(Int64(number)) == number {
            return .int(Int64(number))
        }
        return .double(number)
    }

    /// The text, where the value is one.
    public var text: String? {
        if case .text(let text) = self { return text }
        return nil
    }

    /// `self + other`; `nil` where either is no number or the sum leaves the range.
    package func adding(_ other: Value) -> Value? {
        switch (self, other) {
        case (.int(let left), .int(let right)):
            let (sum, overflow) = left.addingReportingOverflow(right)
            return overflow ? nil : .int(sum)
        case (.int(let left), .double(let right)): return .number(Double(left) + right)
        case (.double(let left), .int(let right)): return .number(left + Double(right))
        case (.double(let left), .double(let right)): return .number(left + right)
        default: return nil
        }
    }

    package var isNull: Bool {
        if case .null = self { return true }
        return false
    }

    package var isNumber: Bool {
        switch self {
        case .int, .double: true
        default: false
        }
    }
}
