internal import FoundationEssentials
package import ListModel

/// Randomness, where the pure parts take it as an argument.
package enum Fresh {
    private static let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")

    /// A new client: 80 random bits.
    package static func client() -> ClientID { identifier(16) }

    /// A new element: 40 random bits, short enough to type; an ID that is taken is refused, never
    /// shared.
    package static func element() -> ElementID { identifier(8) }

    /// A new element whose IDs are `UUID`s.
    static func uuid() -> UUID { UUID() }

    private static func identifier<ID: Identifier>(_ length: Int) -> ID {
        while true {
            var text = ""
            for _ in 0..<length { text.append(letters[Int.random(in: 0..<letters.count)]) }
            if let id = ID(text) { return id }
        }
    }

    /// The pause of a reconnection is spread by this: 0 ..< 1 000.
    package static func jitter() -> Int64 { Int64.random(in: 0..<1_000) }
}
