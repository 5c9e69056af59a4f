internal import ListModel

/// An editor with its draft as a JSON value, to survive the program.
extension Editor {
    /// What `init(_:)` reads.
    func value(of _: Void) -> Value {
        var members: [String: Value] = [
            "id": .text(id.text), "policy": .text(policy.rawValue),
            "serial": .int(Int64(bitPattern: serial)), "shown": shown.value,
            "touched": touched.value, "base": base.value, "theirs": theirs.value,
        ]
        if case .pending(let n) = birth { members["birth"] = .int(Int64(bitPattern: n.number)) }
        if !writers.isEmpty {
            let writers = writers.map { ($0.key.text, Value.text($0.value.text)) }
            members["writers"] = .object(Dictionary(uniqueKeysWithValues: writers))
        }
        if let restorer { members["restorer"] = .text(restorer.text) }
        if let rowRestorer { members["rowRestorer"] = .text(rowRestorer.text) }
        if let vanish { members["vanish"] = vanish.value }
        if let commit {
            members["commit"] = .array([
                .int(Int64(bitPattern: commit.n.number)), .text(commit.mode.rawValue),
                commit.written.value,
            ])
        }
        return .object(members)
    }

    init?(_ value: Value) {
        guard case .object(let members) = value,
            let id = members["id"]?.text.flatMap(ElementID.init),
            let policy = members["policy"]?.text.flatMap(Policy.init(rawValue:)),
            case .int(let serial)? = members["serial"], let shown = Fields(members["shown"]),
            let touched = Fields(members["touched"]), let base = Fields(members["base"]),
            let theirs = Fields(members["theirs"])
        else { return nil }
        self.id = id
        self.policy = policy
        self.serial = UInt64(bitPattern: serial)
        self.shown = shown
        self.touched = touched
        self.base = base
        self.theirs = theirs
        view = .shell
        birth = .confirmed
        if case .int(let n)? = members["birth"] {
            birth = .pending(MutationNumber(UInt64(bitPattern: n)))
        }
        if case .object(let writers)? = members["writers"] {
            for (name, writer) in writers {
                guard let name = FieldName(name) else { return nil }
                self.writers[name] = writer.text.flatMap(UserName.init)
            }
        }
        restorer = members["restorer"]?.text.flatMap(UserName.init)
        rowRestorer = members["rowRestorer"]?.text.flatMap(UserName.init)
        if let value = members["vanish"] {
            guard let vanish = Vanish(value) else { return nil }
            state = .vanished(vanish)
        }
        if case .array(let commit)? = members["commit"], commit.count == 3,
            case .int(let n) = commit[0], let mode = commit[1].text.flatMap(Commit.Mode.init),
            let written = Fields(commit[2])
        {
            self.commit = Commit(
                n: MutationNumber(UInt64(bitPattern: n)), mode: mode, written: written)
        }
    }
}

extension Fields {
    fileprivate var value: Value {
        .object(
            Dictionary(pairs.map { ($0.name.text, $0.value) }, uniquingKeysWith: { $1 }))
    }

    fileprivate init?(_ value: Value?) {
        guard case .object(let members)? = value else { return nil }
        self.init()
        for (name, value) in members {
            guard let name = FieldName(name) else { return nil }
            self[name] = value
        }
    }
}

extension Vanish {
    fileprivate var value: Value {
        .array([
            .text(cause.word), by.map { .text($0.text) } ?? .null,
            at.map { .int($0.milliseconds) } ?? .null,
            version.map { .int(Int64(bitPattern: $0.number)) } ?? .null,
        ])
    }

    fileprivate init?(_ value: Value) {
        guard case .array(let parts) = value, parts.count == 4,
            let cause = parts[0].text.flatMap(Cause.init(word:))
        else { return nil }
        self.init(cause, by: parts[1].text.flatMap(UserName.init))
        if case .int(let at) = parts[2] { self.at = Timestamp(milliseconds: at) }
        if case .int(let version) = parts[3] {
            self.version = Version(UInt64(bitPattern: version))
        }
    }
}

extension Vanish.Cause {
    fileprivate var word: String {
        switch self {
        case .deleted: "deleted"
        case .listDeleted: "list-deleted"
        case .accessLost: "access-lost"
        case .missing: "missing"
        case .rejected(let code): "rejected \(code.rawValue)"
        }
    }

    fileprivate init?(word: String) {
        switch word {
        case "deleted": self = .deleted
        case "list-deleted": self = .listDeleted
        case "access-lost": self = .accessLost
        case "missing": self = .missing
        default:
            guard word.hasPrefix("rejected "), let code = Code(rawValue: String(word.dropFirst(9)))
            else { return nil }
            self = .rejected(code)
        }
    }
}
