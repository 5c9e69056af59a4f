import Testing

@testable import ListModel

@Suite("Names, values and fields")
struct ValueTests {
    @Test("a whole number is an int however it was spelt, and NaN is no value")
    func numbers() {
        #expect(Value.number(3) == .int(3) && Value.number(-0.0) == .int(0))
        #expect(Value.number(1e16) == .int(10_000_000_000_000_000))
        #expect(Value.number(-0x1p63) == .int(.min) && Value.number(0x1p63) == .double(0x1p63))
        #expect(Value.number(0.5) == .double(0.5) && Value.number(1e300) == .double(1e300))
        #expect(Value.number(.nan) == nil && Value.number(-.infinity) == nil)
    }

    @Test("sums stay whole, leave the range as nothing, and need two numbers")
    func adding() {
        #expect(Value.int(1).adding(.double(1)) == .int(2))
        #expect(Value.int(.min).adding(-1) == nil)
        #expect(Value.double(1.7e308).adding(.double(1.7e308)) == nil)
        #expect(Value.text("1").adding(1) == nil && Value.int(1).adding(nil) == nil)
    }

    @Test("texts and field names are equal where their bytes are")
    func bytes() {
        let composed = "\u{E9}"
        let decomposed = "e\u{301}"
        #expect(composed == decomposed)
        #expect(Value.text(composed) != .text(decomposed))
        #expect(Value.array([.text(composed)]) != .array([.text(decomposed)]))
        #expect(FieldName(composed) != FieldName(decomposed))
        var fields = Fields()
        fields[FieldName(stringLiteral: composed)] = 1
        fields[FieldName(stringLiteral: decomposed)] = 2
        #expect(fields.count == 2 && fields[FieldName(stringLiteral: composed)] == 1)
        #expect(fields.names.map(\.text.utf8.count) == [3, 2])
    }

    @Test("fields stand in the order of their names, each once")
    func fields() {
        var fields: Fields = ["b": 1, "a": 2, "b": 3, "": 4]
        #expect(fields.names == ["a", "b"] && fields["b"] == 3 && fields["c"] == nil)
        fields.write(["a": nil, "c": 5, "d": nil])
        #expect(fields == ["b": 3, "c": 5])
        #expect(fields.effective(["b": 3, "c": nil, "x": nil, "y": 1]) == ["c": nil, "y": 1])
        #expect(fields.values(of: ["b", "z"]) == ["b": 3, "z": nil])
        let target: Fields = ["b": 4, "e": 1]
        #expect(fields.changes(to: target) == ["b": 4, "c": nil, "e": 1])
        #expect(fields.writing(fields.changes(to: target)) == target)
    }

    @Test("a name is what the rule of its type allows, at both ends of its length")
    func names() {
        func allows<Name: Identifier>(_: Name.Type, _ texts: String...) -> [Bool] {
            texts.map { Name($0) != nil }
        }
        let most = String(repeating: "a", count: 64)
        let long = most + "a"
        let wide = String(repeating: "\u{E9}", count: 33)
        #expect(
            allows(ListName.self, most, "9-a._", long, "", ".a", "A")
                == [true, true, false, false, false, false])
        #expect(
            allows(ElementID.self, most, "~!A", long, "", "a b", "\u{E9}")
                == [true, true, false, false, false, false])
        #expect(
            allows(FieldName.self, "with space \u{E9}", wide, "a\nb") == [true, false, false])
        #expect(allows(UserName.self, "Zo\u{EB} A.", "", "\u{7F}") == [true, false, false])
        #expect(allows(ClientID.self, "a_B-9", long, "a.b") == [true, false, false])
        #expect(Epoch("a1.b2") == Epoch(list: "a1", log: "b2"))
        #expect(Epoch("a1") == nil && Epoch("a.b.c") == nil && Epoch(".b") == nil)
    }

    @Test("a digest tells contents apart, not the ways in which they were spelt")
    func digest() {
        func digest(_ intents: ListModel.Operation.Intent..., atomic: Bool = false) -> UInt64 {
            makeMutation(intents.map { Operation($0) }, atomic: atomic).digest
        }
        let insert = digest(.insert("a", at: .last, ["title": "x"]))
        #expect(insert == digest(.insert("a", at: .last, ["title": "x", "note": nil])))
        let others = [
            digest(.insert("a", at: .first, ["title": "x"])),
            digest(.insert("a", at: .last, ["title": "y"])),
            digest(.insert("a", at: .last, ["title": "x"]), atomic: true),
            digest(.insert("b", at: .last, ["title": "x"])), digest(.set("a", ["title": "x"])),
            digest(.set("a", ["title": nil])), digest(.set("a", [:])),
            digest(.move(["a", "b"], to: .last)), digest(.move(["b", "a"], to: .last)),
            digest(.delete("a", unlessEdited: true)), digest(.delete("a", unlessEdited: false)),
            digest(.restore("a")), digest(.describe(title: "", schema: nil)),
            digest(.describe(title: nil, schema: Schema())), digest(),
        ]
        #expect(Set(others + [insert]).count == others.count + 1)
    }
}
