package import ListModel
package import ListProtocol

/// A mutation without an outcome, as it is stored.
struct PendingRecord {
    let mutation: Mutation
    let at: Timestamp
    let user: UserName
    let editor: ElementID?
    let isUncertain: Bool

    init(_ bytes: [UInt8], of key: String, _ decoder: MessageDecoder) throws {
        guard bytes.count >= 4 else { throw Unreadable(what: key) }
        let size = bytes.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard size <= bytes.count - 4,
            case .array(let head) = try decoder.decodeValue(Array(bytes[4..<4 + size])),
            head.count >= 3, case .int(let at) = head[0],
            let user = head[1].text.flatMap(UserName.init)
        else { throw Unreadable(what: key) }
        mutation = try decoder.decodeMutationRecord(Array(bytes[(4 + size)...]))
        self.at = Timestamp(milliseconds: at)
        self.user = user
        editor = head[2].text.flatMap(ElementID.init)
        isUncertain = head.count > 3 && head[3] == .bool(true)
    }
}

/// What a client keeps besides its copies of lists, for those who only look at it.
package enum KeptWork: Sendable {
    case pending(MutationNumber, [Operation])
    /// What was typed into an element, and whether that is gone.
    case draft(ElementID, Fields, isVanished: Bool)
    /// A row that was only begun.
    case note(String)
    /// It cannot be read.
    case unreadable(key: String)

    /// By list, in the order of keys; lists without any of it have none.
    package static func all(
        in kept: [String: [UInt8]], _ decoder: MessageDecoder
    ) -> [String: [KeptWork]] {
        var all: [String: [KeptWork]] = [:]
        for key in kept.keys.sorted() {
            guard let (name, part) = StateKeys.part(of: key), let bytes = kept[key] else {
                continue
            }
            all[name, default: []] += work(part, bytes, key, decoder).map { [$0] } ?? []
        }
        return all
    }

    private static func work(
        _ part: StateKeys.Part, _ bytes: [UInt8], _ key: String, _ decoder: MessageDecoder
    ) -> KeptWork? {
        do {
            switch part {
            case .other: return nil
            case .note: return bytes.isEmpty ? nil : .note(String(decoding: bytes, as: UTF8.self))
            case .pending:
                let mutation = try PendingRecord(bytes, of: key, decoder).mutation
                return .pending(mutation.n, mutation.operations)
            case .editor:
                guard let editor = Editor(try decoder.decodeValue(bytes)) else { break }
                return .draft(editor.id, editor.touched, isVanished: editor.vanish != nil)
            }
        } catch {}
        return .unreadable(key: key)
    }
}
