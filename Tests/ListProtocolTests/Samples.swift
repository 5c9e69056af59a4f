import ListModel
import ListProtocol

/// Random words of the protocol, the same for the same seed (SplitMix64).
struct Samples: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func chance(_ one: Int = 2) -> Bool { Int.random(in: 0..<one, using: &self) == 0 }

    mutating func maybe<T>(_ make: (inout Samples) -> T) -> T? { chance() ? make(&self) : nil }

    mutating func some<T>(_ most: Int, _ make: (inout Samples) -> T) -> [T] {
        (0..<Int.random(in: 0...most, using: &self)).map { _ in make(&self) }
    }

    mutating func number() -> UInt64 {
        chance(8) ? UInt64(Int64.max) : UInt64.random(in: 0..<100_000, using: &self)
    }

    /// Letters, escapes, control characters, and characters of one to four bytes.
    mutating func text(_ most: Int = 12) -> String {
        let letters = Array("abcé\u{0}\u{1F}\u{7F}\"\\/\n\t\u{8}\u{C}\r€𝄞\u{2028}👩‍🚀 0{[:,")
        return String(some(most) { letters.randomElement(using: &$0) ?? "x" })
    }

    mutating func value(levels: Int = 3) -> Value {
        switch Int.random(in: 0..<(levels > 0 ? 8 : 6), using: &self) {
        case 0: .null
        case 1: .bool(chance())
        case 2: .int([0, -1, .min, .max, 9_007_199_254_740_993].randomElement(using: &self) ?? 0)
        case 3: number()
        case 4, 5: .text(text())
        case 6: .array(some(3) { $0.value(levels: levels - 1) })
        default:
            .object(
                Dictionary(
                    some(3) { ($0.text(), $0.value(levels: levels - 1)) },
                    uniquingKeysWith: { $1 }))
        }
    }

    mutating func number() -> Value {
        let special = [
            .leastNonzeroMagnitude, 1e20, 1e17, -1.5, 0.1, .greatestFiniteMagnitude, 1e-7,
            123456.789,
        ]
        let number =
            chance() ? special.randomElement(using: &self) ?? 0 : Double(bitPattern: next())
        return Value.number(number) ?? .int(7)
    }

    mutating func fields() -> Fields {
        Fields(
            Dictionary(
                some(4) { samples in
                    (samples.field(), samples.value())
                }, uniquingKeysWith: { $1 }))
    }

    mutating func field() -> FieldName {
        let names = ["title", "done", "é", "a b", "\"", "views"].compactMap(FieldName.init)
        return names.randomElement(using: &self) ?? .title
    }

    mutating func id() -> ElementID { name("k\(number() as UInt64)!\"~") }
    mutating func list() -> ListName { name("l-\(number() as UInt64).x") }
    mutating func client() -> ClientID { name("C_\(number() as UInt64)") }
    mutating func user() -> UserName {
        name(["ana", "bob", "Zoë 👩‍🚀", "\\\""].randomElement(using: &self) ?? "x")
    }
    mutating func version() -> Version { Version(number()) }
    mutating func n() -> MutationNumber { MutationNumber(Swift.max(1, number())) }
    mutating func at() -> Timestamp { Timestamp(milliseconds: Int64(number() as UInt64)) }
    mutating func code() -> Code { Code.allCases.randomElement(using: &self) ?? .removed }
    mutating func epoch() -> Epoch { Epoch(list: "l\(number() as UInt64)", log: "x_-Y") }
    mutating func position() -> Position { Position(epoch: epoch(), version: version()) }

    mutating func schema() -> Schema {
        Schema(
            Dictionary(
                some(3) { samples in
                    (
                        samples.field(),
                        Schema.FieldType.allCases.randomElement(using: &samples) ?? .text
                    )
                }, uniquingKeysWith: { $1 }))
    }

    mutating func element() -> Element {
        Element(
            id: id(), fields: fields(), version: version(), placed: version(), by: user(), at: at())
    }

    mutating func grave() -> Grave {
        Grave(last: element(), by: user(), at: at(), version: version())
    }

    func name<Name: Identifier>(_ text: String) -> Name {
        guard let name = Name(text) else { preconditionFailure("no \(Name.self): \(text)") }
        return name
    }
}
