internal import ListModel
internal import ListProtocol

/// What the shell prints: an answer, an event or a row, before it is spelt plainly or as JSON.
struct Line: Equatable {
    enum Kind: Equatable {
        case ok
        case error
        case event(String)
        case row
    }

    /// A part of a line: how it is spelt plainly, and under which name it stands in the JSON form.
    enum Part: Equatable {
        case word(String, as: String)
        /// Spelt with two hyphens in front, as a command takes it.
        case flag(String, as: String)
        case number(Int64, as: String)
        case fields(Fields)
        /// `base="…"`
        case value(Value, as: String)
        case by(UserName?)
        /// Free text, last in its line.
        case sentence(String)
        case words([String], as: String)
        /// What a line of an earlier run had: as it was spelt, and its members.
        case given(String, Value)
    }

    let kind: Kind
    var parts: [Part]

    static func ok(_ parts: Part...) -> Line { Line(kind: .ok, parts: parts) }
    static func row(_ parts: [Part]) -> Line { Line(kind: .row, parts: parts) }
    static func event(_ name: String, _ parts: [Part]) -> Line {
        Line(kind: .event(name), parts: parts)
    }
    static func error(_ code: String, _ sentence: String) -> Line {
        Line(kind: .error, parts: [.word(code, as: "code"), .sentence(sentence)])
    }

    var plain: String {
        var words: [String] = []
        switch kind {
        case .ok: words = ["ok"]
        case .error: words = ["error"]
        case .event(let name): words = ["*", name]
        case .row: break
        }
        for part in parts { words.append(contentsOf: part.plain) }
        return words.joined(separator: " ")
    }

    /// One JSON object: `{"v":1,"ok":true,…}`, `"error"`, `"event"` or `"row"`.
    var json: String {
        var members: [(String, Value)] = []
        switch kind {
        case .ok: members.append(("ok", .bool(true)))
        case .error: members.append(("ok", .bool(false)))
        case .event(let name): members.append(("event", .text(name)))
        case .row: members.append(("row", .bool(true)))
        }
        for part in parts { members.append(contentsOf: part.members) }
        return Printing.object(members)
    }
}

extension Line.Part {
    var plain: [String] {
        switch self {
        case .word(let word, _): [Printing.word(word)]
        case .flag(let word, _): ["--" + word]
        case .number(let number, _): ["\(number)"]
        case .fields(let fields):
            fields.pairs.map { Printing.word($0.name.text) + "=" + Printing.json($0.value) }
        case .value(let value, let name): [name + "=" + Printing.json(value)]
        case .by(let name): name.map { ["by", Printing.word($0.text)] } ?? []
        case .sentence(let text): [Printing.masked(text)]
        case .words(let words, _): words.map(Printing.word)
        case .given(let text, _): [Printing.masked(text)]
        }
    }

    var members: [(String, Value)] {
        switch self {
        case .word(let word, let name), .flag(let word, let name): [(name, .text(word))]
        case .number(let number, let name): [(name, .int(number))]
        case .fields(let fields):
            [("fields", fields.object)]
        case .value(let value, let name): [(name, value)]
        case .by(let name): name.map { [("by", .text($0.text))] } ?? []
        case .sentence(let text): [("sentence", .text(text))]
        case .words(let words, let name): [(name, .array(words.map { .text($0) }))]
        case .given(_, .object(let members)):
            members.filter { $0.key != "v" && $0.key != "row" }.sorted { $0.key < $1.key }
                .map { ($0.key, $0.value) }
        case .given: []
        }
    }
}

extension Fields {
    /// The fields as a JSON object.
    var object: Value {
        .object(Dictionary(pairs.map { ($0.name.text, $0.value) }) { $1 })
    }
}
