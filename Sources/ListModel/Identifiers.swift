/// A text that names something: checked once, when it is made, and a plain string from then on.
public protocol Identifier: Hashable, Comparable, Sendable, CustomStringConvertible {
    var text: String { get }
    /// `nil` unless `text` obeys the rule of the type.
    init?(_ text: String)
}

extension Identifier {
    public var description: String { text }
    public static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

/// The name of a list: 1-64 of `a-z 0-9 . _ -`, starting with a letter or digit.
public struct ListName: Identifier {
    public let text: String

    public init?(_ text: String) {
        guard (1...64).contains(text.utf8.count), let first = text.utf8.first,
            isLowerOrDigit(first),
            text.hasOnly({ isLowerOrDigit($0) || $0 == 0x2E || $0 == 0x5F || $0 == 0x2D })
        else { return nil }
        self.text = text
    }
}

/// The identity of an element: 1-64 bytes of printable ASCII without spaces, chosen by the client,
/// unique in its list for ever, never derived from content or position.
public struct ElementID: Identifier {
    /// Its characters.
    public let text: String

    public init?(_ text: String) {
        guard (1...64).contains(text.utf8.count), text.hasOnly({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        self.text = text
    }

    private init(known text: StaticString) { self.text = "\(text)" }

    /// What no element has: where a row is asked for that is not there.
    package static let nowhere = ElementID(known: "")
}

/// The name of a field: 1-64 bytes, none of them a control character. Equal where the bytes are,
/// and ordered by them: Swift's own comparison takes "é" and "e" + accent for one, other languages
/// do not.
public struct FieldName: Identifier {
    /// Its characters.
    public let text: String

    public init?(_ text: String) {
        guard (1...64).contains(text.utf8.count),
            text.hasOnly({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        self.text = text
    }

    public static func == (left: FieldName, right: FieldName) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    public static func < (left: FieldName, right: FieldName) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    private init(known text: StaticString) { self.text = "\(text)" }

    /// What clients show of an element by default.
    public static let title = FieldName(known: "title")
}

/// One client's identity, made at random when its state is made; two processes never share one.
/// 1-64 bytes of `a-z A-Z 0-9 _ -`.
public struct ClientID: Identifier {
    public let text: String

    public init?(_ text: String) {
        guard (1...64).contains(text.utf8.count), text.hasOnly(isWordByte) else {
            return nil
        }
        self.text = text
    }
}

/// The name under which a person or a program works: 1-64 bytes, none a control character.
/// It may hold any letter; whoever prints it masks it.
public struct UserName: Identifier {
    /// Its characters.
    public let text: String

    public init?(_ text: String) {
        guard (1...64).contains(text.utf8.count),
            text.hasOnly({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        self.text = text
    }

    private init(known text: StaticString) { self.text = "\(text)" }

    /// Who did something when nobody is known to have done it.
    package static let nobody = UserName(known: "nobody")
}

/// The random identity of one log. It changes when a log is replaced: by a restored backup, where
/// the list stays the same (`list` is equal), or by another list under the old name (`list`
/// differs).
public struct Epoch: Hashable, Sendable, CustomStringConvertible {
    public let list: String
    public let log: String
    public var description: String { "\(list).\(log)" }

    package init(list: String, log: String) {
        self.list = list
        self.log = log
    }

    /// `nil` unless the text is two words of letters and digits with a dot between, 64 bytes at
    /// most.
    public init?(_ text: String) {
        guard text.utf8.count <= 64, let dot = text.utf8.firstIndex(of: 0x2E) else { return nil }
        let (list, log) = (text[..<dot], text[text.utf8.index(after: dot)...])
        guard !list.isEmpty, !log.isEmpty, list.utf8.allSatisfy(isWordByte),
            log.utf8.allSatisfy(isWordByte)
        else { return nil }
        self.list = String(list)
        self.log = String(log)
    }
}

extension String {
    /// Whether each byte is as it should be; over the bytes as they stand in memory.
    fileprivate func hasOnly(_ isGood: (UInt8) -> Bool) -> Bool {
        utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isGood) }
            ?? utf8.allSatisfy(isGood)
    }

    /// Equality as other languages see it.
    func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let isSame = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in
                Self.isSame(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
            }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }

    /// Eight bytes at a time, of two that are equally long.
    private static func isSame(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
    ) -> Bool {
        var at = 0
        while at + 8 <= left.count {
            guard
                left.loadUnaligned(fromByteOffset: at, as: UInt64.self)
                    == right.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            else { return false }
            at += 8
        }
        while at < left.count {
            guard left[at] == right[at] else { return false }
            at += 1
        }
        return true
    }
}

private func isLowerOrDigit(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
}

private func isWordByte(_ byte: UInt8) -> Bool {
    isLowerOrDigit(byte) || (0x41...0x5A).contains(byte) || byte == 0x5F || byte == 0x2D
}
