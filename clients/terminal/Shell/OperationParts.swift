internal import ListModel

/// Operations as parts of a line, for `pending` and `history`.
extension Operation {
    var parts: [Line.Part] {
        switch intent {
        case .insert(let id, let place, let fields):
            [.word("add", as: "op"), .word(id.text, as: "id"), .fields(fields)] + place.parts
        case .set(let id, let fields):
            [.word("set", as: "op"), .word(id.text, as: "id"), .fields(fields)]
        case .count(let id, let field, let by):
            [
                .word("count", as: "op"), .word(id.text, as: "id"), .word(field.text, as: "field"),
                .value(by, as: "by"),
            ]
        case .move(let ids, let place):
            [.word("move", as: "op"), .words(ids.map(\.text), as: "ids")] + place.parts
        case .delete(let id, _): [.word("delete", as: "op"), .word(id.text, as: "id")]
        case .restore(let id): [.word("restore", as: "op"), .word(id.text, as: "id")]
        case .describe(let title, _):
            [.word("describe", as: "op")] + (title.map { [.value(.text($0), as: "title")] } ?? [])
        case .forget(let ids): [.word("forget", as: "op"), .words(ids.map(\.text), as: "ids")]
        }
    }
}

extension Place {
    fileprivate var parts: [Line.Part] {
        switch self {
        case .first: [.flag("first", as: "place")]
        case .last: [.flag("last", as: "place")]
        case .after(let id): [.flag("after", as: "place"), .word(id.text, as: "anchor")]
        case .before(let id): [.flag("before", as: "place"), .word(id.text, as: "anchor")]
        }
    }
}

extension ResolvedOperation {
    var parts: [Line.Part] {
        switch self {
        case .insert(let id, let anchor, let fields):
            [.word("add", as: "op"), .word(id.text, as: "id"), .fields(fields)] + anchor.parts
        case .set(let id, let fields):
            [.word("set", as: "op"), .word(id.text, as: "id"), .fields(fields)]
        case .count(let id, let field, let by, let value):
            [
                .word("count", as: "op"), .word(id.text, as: "id"), .word(field.text, as: "field"),
                .value(by, as: "by"), .value(value, as: "is"),
            ]
        case .move(let ids, let anchor):
            [.word("move", as: "op"), .words(ids.map(\.text), as: "ids")] + anchor.parts
        case .delete(let id): [.word("delete", as: "op"), .word(id.text, as: "id")]
        case .restore(let id, _): [.word("restore", as: "op"), .word(id.text, as: "id")]
        case .describe(let title, _):
            [.word("describe", as: "op")] + (title.map { [.value(.text($0), as: "title")] } ?? [])
        case .forget(let ids): [.word("forget", as: "op"), .words(ids.map(\.text), as: "ids")]
        }
    }
}

extension Anchor {
    fileprivate var parts: [Line.Part] {
        switch self {
        case .first: [.flag("first", as: "place")]
        case .after(let id): [.flag("after", as: "place"), .word(id.text, as: "anchor")]
        }
    }
}
