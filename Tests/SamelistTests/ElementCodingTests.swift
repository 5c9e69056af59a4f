import Foundation
import ListModel
import Testing

@testable import Samelist

/// Between values of one's own types and fields.
@Suite struct ElementCodingTests {
    enum Mood: String, Codable { case calm, cross }
    enum Shape: Codable, Hashable {
        case point
        case circle(radius: Double)
    }

    struct Address: Codable, Hashable {
        var street: String
        var zip: Int?
    }

    struct Rich: ListElement, Hashable {
        var id = ElementID.new()
        var title = "é\u{0}\"\\"
        var flag = true
        var small: Int8 = -128
        var large = Int64.max
        var unsigned: UInt32 = .max
        var half = 0.5
        var float: Float = 1.5
        var nothing: String?
        var mood = Mood.cross
        var shape = Shape.circle(radius: 2)
        var shapes: [Shape] = [.point, .circle(radius: 1)]
        var address = Address(street: "Main", zip: nil)
        var tags = ["a", "b"]
        var scores = ["x": 1, "y": 2]
        var optionals: [Int?] = [1, nil]
        var nested = [[1], []]
        var when = Date(timeIntervalSince1970: 1_767_225_600.123)
        var maybe: Date? = Date(timeIntervalSince1970: 0)
        var uuid = UUID()
        var data = Data([0, 255, 7])
        var price = Decimal(string: "12345678901234567890.12") ?? 0
        var link = URL(string: "https://example.org/a?b=c#d")
        var value = Value.array([.null, .int(1), .object(["a": .bool(true)])])
    }

    private func element(_ fields: Fields, id: String = "x") throws -> ListModel.Element {
        ListModel.Element(
            id: try #require(ElementID(id)), fields: fields, version: Version(1),
            placed: Version(1), by: try #require(UserName("ana")), at: .zero)
    }

    private func decoded<Item: ListElement>(
        _ type: Item.Type, _ fields: Fields, id: String = "x"
    ) throws -> Item {
        try ElementCoder.decode(element(fields, id: id), as: type).get()
    }

    @Test func `all that a type may hold comes back as it was`() throws {
        let rich = Rich()
        let fields = try ElementCoder.fields(of: rich)
        let back = try decoded(Rich.self, fields, id: rich.id.text)
        #expect(back == rich)
        #expect(fields["nothing"] == nil, "nil is no field")
        #expect(fields["id"] == nil, "the ID is no field")
        #expect(fields["when"] == .text("2026-01-01T00:00:00.123Z"))
        #expect(fields["mood"] == .text("cross"))
        #expect(fields["price"] == .text("12345678901234567890.12"))
        #expect(fields["data"] == .text("AP8H"))
        #expect(fields["uuid"] == .text(rich.uuid.uuidString))
        #expect(fields["link"] == .text("https://example.org/a?b=c#d"))
        #expect(fields["address"] == .object(["street": .text("Main")]))
        #expect(fields["large"] == .int(.max))
    }

    @Test func `a date is written as it was read, whatever its millisecond`() throws {
        struct Event: ListElement {
            var id = "x"
            var at: Date
        }
        for millisecond in stride(from: 0, to: 1_000, by: 1) {
            let suffix = String(format: "%03d", millisecond)
            for second in ["1969-12-31T23:59:59", "2026-11-30T22:25:31", "9999-12-31T23:59:59"] {
                let text = Value.text("\(second).\(suffix)Z")
                let event = try decoded(Event.self, ["at": text])
                #expect(try ElementCoder.fields(of: event)["at"] == text)
            }
        }
        let whole = try decoded(Event.self, ["at": .text("2026-01-01T00:00:00Z")])
        let seconds = try decoded(Event.self, ["at": .int(1_767_225_600)])
        #expect(whole.at == seconds.at)
        #expect(throws: ListError.self) { try decoded(Event.self, ["at": .text("today")]) }
    }

    @Test func `only what differs is written, and what the type does not know is kept`() throws {
        struct Person: ListElement, Hashable {
            var id = "x"
            var name: String
            var nick: String?
            var address: Address
        }
        let stored: Fields = [
            "name": .text("Ana"), "nick": .text("A"), "unknown": .int(1),
            "address": .object(["street": .text("Main"), "zip": .int(1), "door": .text("left")]),
        ]
        let before = try decoded(Person.self, stored)
        var after = before
        #expect(try ElementCoder.changes(from: before, to: after, in: stored).isEmpty)
        after.nick = nil
        after.address.street = "Side"
        after.address.zip = nil
        let changes = try ElementCoder.changes(from: before, to: after, in: stored)
        #expect(
            changes == [
                "nick": .null,
                "address": .object(["street": .text("Side"), "door": .text("left")]),
            ])
        after.id = "y"
        #expect(throws: ListError.self) {
            try ElementCoder.changes(from: before, to: after, in: stored)
        }
    }

    @Test func `another case of an enum replaces the old one`() throws {
        struct Drawing: ListElement {
            var id = "x"
            var shape: Shape
        }
        let stored: Fields = ["shape": .object(["circle": .object(["radius": .int(2)])])]
        let before = try decoded(Drawing.self, stored)
        var after = before
        after.shape = .point
        let changes = try ElementCoder.changes(from: before, to: after, in: stored)
        #expect(changes == ["shape": .object(["point": .object([:])])])
    }

    @Test func `what is not there is nil, or as in the defaults, or does not decode`() throws {
        struct Plain: ListElement {
            var id = "x"
            var title: String
            var done = true
            var n = 7
            var owner: String?
        }
        struct Kind: ListElement {
            var id = "x"
            var title: String
            var done = true
            var tags = ["new"]
            static var defaults: Kind? { Kind(title: "untitled") }
        }
        let whole: Fields = ["title": .text("Milk"), "done": .bool(false), "n": .int(1)]
        #expect(try decoded(Plain.self, whole).owner == nil)
        for name in whole.names {
            var fields = whole
            fields[name] = nil
            #expect(throws: ListError.self) { try decoded(Plain.self, fields) }
        }
        let kind = try decoded(Kind.self, [:], id: "y")
        #expect(kind.id == "y" && kind.title == "untitled" && kind.done && kind.tags == ["new"])
    }

    @Test func `an element that does not decode says where and why`() throws {
        struct Strict: ListElement {
            var id = "x"
            var title: String
            var done = false
            var count = 0
        }
        let cases: [(Fields, String)] = [
            (["title": .int(1)], "title: it is a number, no String; "),
            (
                ["title": .text("a"), "count": .double(0.5), "done": .bool(true)],
                "count: it is a number, no Int; "
            ),
            (["done": .bool(true)], "it has no title; "),
        ]
        for (fields, why) in cases {
            let result = ElementCoder.decode(try element(fields), as: Strict.self)
            guard case .failure(let error) = result else {
                Issue.record("\(fields) decoded")
                continue
            }
            #expect(error.code == .undecodable && error.id?.text == "x")
            #expect(error.sentence.hasPrefix("x cannot be read: \(why)"))
        }
        #expect(throws: ListError.self) {
            try decoded(Todo.self, ["title": .text(""), "count": .int(.max), "owner": .int(1)])
        }
    }

    @Test func `a date that no text can hold is refused before it is stored`() throws {
        struct Event: ListElement {
            var id = "x"
            var at: Date
        }
        for time in [253_402_300_799, -62_135_596_800] as [Double] {
            let date = Date(timeIntervalSince1970: time)
            let event = Event(at: date)
            let fields = try ElementCoder.fields(of: event)
            #expect(try decoded(Event.self, fields).at == date)
        }
        for time in [253_402_300_800, -62_135_596_801] as [Double] {
            let date = Date(timeIntervalSince1970: time)
            let error = #expect(throws: ListError.self) {
                try ElementCoder.fields(of: Event(at: date))
            }
            #expect(error?.code == .unencodable && error?.sentence.contains("at: ") == true)
        }
    }

    @Test func `numbers that JSON has not, and values without fields, cannot be stored`() {
        struct Number: ListElement {
            var id = "x"
            var n: Double
        }
        struct Big: ListElement {
            var id = "x"
            var n: UInt64
        }
        struct Bare: ListElement {
            var id = "x"
            init() {}
            init(from decoder: any Decoder) throws {}
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(1)
            }
        }
        struct Wide: ListElement {
            var id = "x"
            var n = ["": 1]
            var m: [String: Int]?
        }
        for element: any ListElement in [
            Number(n: .nan), Number(n: .infinity), Big(n: .max), Bare(),
        ] {
            func fields<Item: ListElement>(_ element: Item) throws -> Fields {
                try ElementCoder.fields(of: element)
            }
            #expect(throws: ListError.self) { try fields(element) }
        }
    }

    @Test func `IDs are taken in their one spelling`() throws {
        struct Numbered: ListElement {
            var id: Int
            var title: String
        }
        struct Unique: ListElement {
            var id: UUID
            var title: String
        }
        struct Named: ListElement {
            var id: String
            var title: String
        }
        let title: Fields = ["title": .text("a")]
        #expect(try decoded(Numbered.self, title, id: "-7").id == -7)
        for wrong in ["007", "+7", "seven", "9223372036854775808"] {
            #expect(throws: ListError.self) { try decoded(Numbered.self, title, id: wrong) }
        }
        let uuid = UUID()
        #expect(try decoded(Unique.self, title, id: uuid.uuidString).id == uuid)
        #expect(throws: ListError.self) {
            try decoded(Unique.self, title, id: uuid.uuidString.lowercased())
        }
        #expect(try decoded(Named.self, title, id: "a/b").id == "a/b")
        #expect("two words".elementID == nil && "".elementID == nil)
    }

    @Test func `a record holds whatever a list has`() throws {
        let stored: Fields = ["title": .text("Milk"), "n": .int(1), "a": .array([.null])]
        var record = try decoded(Record.self, stored, id: "milk")
        #expect(record.id.text == "milk" && record.title == "Milk" && record["n"] == .int(1))
        let before = record
        record["n"] = nil
        record["new"] = .bool(true)
        #expect(
            try ElementCoder.changes(from: before, to: record, in: stored)
                == ["n": .null, "new": .bool(true)])
        let coded = try JSONDecoder().decode(Record.self, from: JSONEncoder().encode(record))
        #expect(coded == record)
    }
}
