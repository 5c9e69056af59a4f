import Testing

@testable import ListModel

@Suite("Limits, schema and the list's own description")
struct LimitTests {
    private func refusal(
        _ intents: ListModel.Operation.Intent..., on list: ListState, limits: Limits = Limits()
    ) -> Refusal? {
        var list = list
        let before = list.portrait
        let first = ListModel.Operation(.insert("first", at: .first, [:]))
        let mutation = makeMutation([first] + intents.map { Operation($0) })
        let resolution = list.perform(mutation, makeContext(limits: limits))
        #expect(resolution.refusal == nil || list.portrait == before)
        return resolution.refusal
    }

    @Test("a write that breaks the schema is refused, with the field and its type")
    func schema() {
        var list = makeList("a")
        list.perform(.describe(title: nil, schema: Schema(["done": .bool, "n": .number])))
        let set = refusal(.set("a", ["done": "yes"]), on: list)
        #expect(set?.code == .wrongType && set?.sentence.contains("done") == true)
        #expect(refusal(.insert("x", at: .last, ["n": "1"]), on: list)?.code == .wrongType)
        #expect(refusal(.set("a", ["done": nil, "free": "x", "n": 1]), on: list) == nil)
        #expect(refusal(.set("a", ["n": .double(1.5)]), on: list) == nil)
        list.perform(.describe(title: nil, schema: Schema(["votes": .text])))
        #expect(refusal(.count("a", "votes", by: 1), on: list)?.code == .wrongType)
    }

    @Test(
        "every type of a schema admits its own values alone",
        arguments: Schema.FieldType.allCases)
    func types(type: Schema.FieldType) {
        let values: [(Schema.FieldType, Value)] = [
            (.text, "x"), (.number, 1), (.number, .double(0.5)), (.bool, .bool(false)),
            (.array, .array([])), (.object, .object([:])),
        ]
        for (own, value) in values { #expect(type.admits(value) == (own == type)) }
        #expect(!type.admits(.null))
    }

    @Test("too many fields, too large an element, too many elements are refused with the number")
    func bounds() {
        var limits = Limits()
        limits.fields = 2
        limits.elementBytes = 60
        limits.elements = 3
        let list = makeList("a", "g", graves: ["g"])
        let wide = refusal(.set("a", ["x": 1, "y": 2]), on: list, limits: limits)
        #expect(wide?.code == .tooMany && wide?.sentence.contains("2") == true)
        let long = Value.text(String(repeating: "x", count: 60))
        #expect(refusal(.set("a", ["x": long]), on: list, limits: limits)?.code == .tooLarge)
        #expect(
            refusal(.insert("x", at: .last, ["x": long]), on: list, limits: limits)?.code
                == .tooLarge)
        #expect(refusal(.count("a", "n", by: 1), on: list, limits: limits) == nil)
        limits.elements = 2
        #expect(refusal(.insert("x", at: .last, [:]), on: list, limits: limits)?.code == .tooMany)
        #expect(refusal(.restore("g"), on: list, limits: limits)?.code == .tooMany)
        #expect(
            refusal(.delete("a", unlessEdited: false), .restore("g"), on: list, limits: limits)
                == nil)
    }

    @Test("a list is described by a title and a schema, each left alone where it is not named")
    func describe() {
        var list = makeList("a")
        list.perform(.describe(title: "Shopping", schema: Schema(["n": .number])))
        #expect(list.title == "Shopping" && list.schema == Schema(["n": .number]))
        #expect(list.perform(.describe(title: "Shopping", schema: nil)).isNoop)
        #expect(
            list.perform(.describe(title: "Other", schema: Schema(["n": .number]))).operations
                == [.describe(title: "Other", schema: nil)])
        list.perform(.describe(title: nil, schema: Schema()))
        #expect(list.title == "Other" && list.schema == nil)
        #expect(list.perform(.describe(title: nil, schema: Schema())).isNoop)
        let long = String(repeating: "x", count: Limits().titleBytes + 1)
        #expect(refusal(.describe(title: long, schema: nil), on: list)?.code == .tooLarge)
    }
}
