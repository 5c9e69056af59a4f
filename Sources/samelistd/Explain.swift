import Glibc
internal import ListAuthority
internal import ListModel
internal import ListProtocol
internal import ListServer
internal import ProgramArguments

/// `samelistd explain`: what happened to an element.
extension Program {
    static func explain(_ arguments: Arguments) throws(UsageError) -> Int32 {
        let words = Array(arguments.words.dropFirst())
        guard words.count == 2 else {
            throw UsageError("explain is followed by a list and an ID. See samelistd help explain.")
        }
        guard let list = ListName(words[0]) else {
            throw UsageError("\(masked(words[0])) is no list: 1-64 of a-z 0-9 . _ -.")
        }
        let folder = try GivenSettings(arguments, environment: environment).folder()
        let tenant = try tenant(arguments) ?? .unnamed
        return reporting {
            let explanation = try Explanation(of: words[1], in: list, tenant, folder: folder)
            let readers = Result { () throws(StatusQuestion.Fault) in
                try StatusQuestion.readers(of: list, tenant, in: folder).readers
            }
            if arguments.has(.json) {
                let bytes = MessageEncoder.encode(explanation.value(try? readers.get()))
                say(String(decoding: bytes, as: UTF8.self))
            } else {
                for line in explanation.lines + explanation.lines(of: readers) { say(line) }
            }
            return explanation.isKnown ? ExitCode.done : ExitCode.failed
        }
    }
}

/// For people.
extension Explanation {
    /// Whether there is anything to tell.
    fileprivate var isKnown: Bool {
        if case .unknown = standing { return !steps.isEmpty }
        return true
    }

    fileprivate var lines: [String] {
        var lines = ["\(tenant == .unnamed ? "" : "\(tenant)/")\(list) \(id): \(now)"]
        if first.number > 1 {
            lines.append("The log reaches back to version \(first); what was before is not known.")
        }
        for step in steps {
            let mutation = step.n == .zero ? "" : ", mutation \(step.n.number)"
            lines.append(
                "version \(step.version)  \(Dates.text(step.at))  \(shown(step.by.text)) "
                    + "(client \(step.client)\(mutation))")
            lines += step.deeds.flatMap(\.lines).map { "    " + $0 }
            lines += step.skips.map { skip in
                let whose = skip.by.map { ", because of \(shown($0.text))" } ?? ""
                return "    skipped: \(skip.code.rawValue)\(whose)"
            }
        }
        return lines
    }

    private var now: String {
        switch standing {
        case .living(let element): "there, \(text(element.fields))"
        case .grave(let grave?):
            "deleted by \(shown(grave.by.text)), version \(grave.version), "
                + "\(Dates.text(grave.at)); it was \(text(grave.last.fields))"
        case .grave(nil): "deleted"
        case .unknown: steps.isEmpty ? "nothing is known of it" : "deleted and forgotten"
        }
    }

    fileprivate func lines(of readers: Result<[Reader], StatusQuestion.Fault>) -> [String] {
        guard isKnown else { return [] }
        switch readers {
        case .failure(.noServer(let folder)):
            return ["Who was told is not known: no server runs in \(folder)."]
        case .failure(let fault): return ["Who was told is not known: \(fault)"]
        case .success(let readers) where readers.isEmpty: return ["Nobody has the list open now."]
        case .success(let readers):
            return ["Who has the list open now, and up to where each was given it:"]
                + readers.map { "    " + line(of: $0) }
                + ["When that was, and who had it open before, the server does not keep."]
        }
    }

    private func line(of reader: Reader) -> String {
        let who =
            "\(shown(reader.name.text)) (client \(reader.client), "
            + "connection \(reader.connection.number))"
        guard let version = reader.version else { return "\(who): is just being given the list" }
        let last = steps.last?.version ?? .zero
        return "\(who): version \(version)" + (version < last ? ", not yet \(last)" : "")
    }
}

extension Explanation.Deed {
    fileprivate var lines: [String] {
        switch self {
        case .inserted(let anchor, let fields): ["inserted \(text(anchor)): \(text(fields))"]
        case .changed(let changes):
            changes.map { change in
                let before = change.before.map { " was \(text($0))," } ?? ""
                return "\(shown(change.field.text)):\(before) is \(text(change.after))"
            }
        case .moved(let anchor): ["moved \(text(anchor))"]
        case .deleted(let fields): ["deleted" + (fields.map { "; it was \(text($0))" } ?? "")]
        case .restored(let fields): ["restored: \(text(fields))"]
        case .forgotten: ["forgotten: it can no longer be restored"]
        }
    }
}

private func text(_ anchor: Anchor) -> String {
    switch anchor {
    case .first: "first"
    case .after(let id): "behind \(id)"
    }
}

private func text(_ fields: Fields) -> String {
    shown(String(decoding: MessageEncoder.encode(fields), as: UTF8.self))
}

private func text(_ value: Value) -> String {
    value == .null
        ? "nothing" : shown(String(decoding: MessageEncoder.encode(value), as: UTF8.self))
}

/// What others wrote, with nothing in it that a terminal or a reader could be misled by.
private func shown(_ text: String) -> String {
    String(
        String.UnicodeScalarView(
            text.unicodeScalars.map { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
                default: scalar
                }
            }))
}

/// For programs.
extension Explanation {
    fileprivate func value(_ readers: [Reader]?) -> Value {
        var members: [String: Value] = [
            "v": .int(1), "list": .text(list.text), "id": .text(id.text),
            "version": number(version), "first": number(first),
            "steps": .array(steps.map(\.value)),
            "readers": readers.map { .array($0.map(\.value)) } ?? .null,
        ]
        if tenant != .unnamed { members["tenant"] = .text(tenant.text) }
        switch standing {
        case .living(let element):
            members["state"] = .text("living")
            members["fields"] = object(element.fields)
        case .grave(let grave):
            members["state"] = .text("deleted")
            members["fields"] = grave.map { object($0.last.fields) } ?? .null
        case .unknown: members["state"] = .text("unknown")
        }
        return .object(members)
    }
}

extension Explanation.Step {
    fileprivate var value: Value {
        .object([
            "version": number(version), "at": .int(at.milliseconds), "by": .text(by.text),
            "client": .text(client.text), "n": .int(Int64(clamping: n.number)),
            "did": .array(deeds.map(\.value)),
            "skipped": .array(
                skips.map { skip in
                    .object([
                        "code": .text(skip.code.rawValue),
                        "by": skip.by.map { .text($0.text) } ?? .null,
                    ])
                }),
        ])
    }
}

extension Explanation.Deed {
    fileprivate var value: Value {
        switch self {
        case .inserted(let anchor, let fields):
            .object(["inserted": object(fields), "after": place(anchor)])
        case .changed(let changes):
            .object([
                "changed": .array(
                    changes.map { change in
                        var members: [String: Value] = [
                            "field": .text(change.field.text), "after": change.after,
                        ]
                        if let before = change.before { members["before"] = before }
                        return .object(members)
                    })
            ])
        case .moved(let anchor): .object(["moved": .bool(true), "after": place(anchor)])
        case .deleted(let fields): .object(["deleted": fields.map(object) ?? .null])
        case .restored(let fields): .object(["restored": object(fields)])
        case .forgotten: .object(["forgotten": .bool(true)])
        }
    }
}

extension Reader {
    fileprivate var value: Value {
        .object([
            "name": .text(name.text), "client": .text(client.text),
            "connection": .int(Int64(clamping: connection.number)),
            "version": version.map(number) ?? .null,
        ])
    }
}

private func number(_ version: Version) -> Value { .int(Int64(clamping: version.number)) }

private func place(_ anchor: Anchor) -> Value {
    if case .after(let id) = anchor { return .text(id.text) }
    return .null
}

private func object(_ fields: Fields) -> Value {
    .object(Dictionary(fields.pairs.map { ($0.name.text, $0.value) }, uniquingKeysWith: { $1 }))
}
