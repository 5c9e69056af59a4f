internal import ListModel

extension ClientMessage: JSONWritable {
    init(_ message: JSONObject, within bounds: Bounds) throws(DecodingFault) {
        switch try message.read("t", as: String.self) {
        case "hello": self = .hello(try Hello(message))
        case "open": self = .open(try Open(message, within: bounds))
        case "close": self = .close(try message.read("list"))
        case "submit": self = .submit(try Submission(message, within: bounds))
        case "presence":
            self = .presence(
                try message.read("list"), editing: try message.read("editing", bounds.elements))
        case "who": self = .who(try message.read("r"), try message.read("list"))
        case "create":
            self = .create(
                try message.read("r"), try message.read("list"),
                title: try message.title(within: bounds),
                schema: try message.schema(within: bounds))
        case "remove": self = .remove(try message.read("r"), try message.read("list"))
        case "lists": self = .lists(try message.read("r"))
        case "history":
            self = .history(
                try message.read("r"), try message.read("list"),
                of: try message.readIfPresent("of"), before: try message.readIfPresent("before"),
                limit: try message.read("limit"))
        case "fates":
            self = .fates(
                try message.read("r"), try message.read("list"),
                try message.read("ids", bounds.elements))
        case "ping": self = .ping(try message.read("r"), try message.readIfPresent("list"))
        case "renew": self = .renew(try message.read("r"), token: try message.read("token"))
        case let kind: throw .unknownMessage(kind)
        }
    }

    func write(to writer: inout JSONWriter) { writer.object { writeMembers(to: &$0) } }

    private func writeMembers(to writer: inout JSONWriter) {
        switch self {
        case .hello(let hello): hello.writeMembers(to: &writer)
        case .open(let open): open.writeMembers(to: &writer)
        case .close(let list): writer.message("close", list)
        case .submit(let submission): submission.writeMembers(to: &writer)
        case .presence(let list, let editing):
            writer.message("presence", list)
            writer.member("editing", editing)
        case .who(let request, let list): writer.message("who", request, list)
        case .create(let request, let list, let title, let schema):
            writer.message("create", request, list)
            writer.member("title", ifPresent: title)
            writer.member("schema", ifPresent: schema)
        case .remove(let request, let list): writer.message("remove", request, list)
        case .lists(let request): writer.message("lists", request, nil)
        case .history(let request, let list, let id, let before, let limit):
            writer.message("history", request, list)
            writer.member("of", ifPresent: id)
            writer.member("before", ifPresent: before)
            writer.member("limit", limit)
        case .fates(let request, let list, let ids):
            writer.message("fates", request, list)
            writer.member("ids", ids)
        case .ping(let request, let list): writer.message("ping", request, list)
        case .renew(let request, let token):
            writer.message("renew", request, nil)
            writer.member("token", token)
        }
    }
}

extension ClientMessage.Hello {
    fileprivate init(_ message: JSONObject) throws(DecodingFault) {
        self.init(
            version: try message.read("v"), client: try message.read("client"),
            name: try message.read("name"), token: try message.readIfPresent("token"))
    }

    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.message("hello")
        writer.member("v", version)
        writer.member("client", client)
        writer.member("name", name)
        writer.member("token", ifPresent: token)
    }
}

extension ClientMessage.Open {
    fileprivate init(_ message: JSONObject, within bounds: Bounds) throws(DecodingFault) {
        self.init(
            list: try message.read("list"), create: try message.flag("create"),
            position: try message.readIfPresent("at"),
            editing: try message.readIfPresent("editing", bounds.elements) ?? [],
            heard: try message.readIfPresent("heard") ?? .zero,
            presence: try message.flag("presence"), last: try message.readIfPresent("last"),
            base: try message.flag("base"))
    }

    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.message("open", list)
        writer.flag("create", create)
        writer.member("at", ifPresent: position)
        writer.member("editing", unlessEmpty: editing)
        if heard != .zero { writer.member("heard", heard) }
        writer.flag("presence", presence)
        writer.member("last", ifPresent: last)
        writer.flag("base", base)
    }
}

extension ClientMessage.Submission {
    fileprivate init(_ message: JSONObject, within bounds: Bounds) throws(DecodingFault) {
        self.init(
            list: try message.read("list"), n: try message.submittedNumber(),
            heard: try message.readIfPresent("heard") ?? .zero,
            operations: try message.operations(within: bounds), atomic: try message.flag("atomic"),
            epoch: try message.readIfPresent("epoch"), again: try message.flag("again"))
    }

    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.message("submit", list)
        writer.member("n", n)
        if heard != .zero { writer.member("heard", heard) }
        writer.member("ops", operations)
        writer.flag("atomic", atomic)
        writer.member("epoch", ifPresent: epoch)
        writer.flag("again", again)
    }
}

/// `{"client":CLIENT,"n":5,"ops":[…],"atomic":true}`, in records.
extension Mutation: JSONWritable {
    init(_ object: JSONObject) throws(DecodingFault) {
        self.init(
            client: try object.read("client"), n: try object.submittedNumber(),
            operations: try object.operations(within: nil), atomic: try object.flag("atomic"))
    }

    func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("client", client)
            $0.member("n", n)
            $0.member("ops", operations)
            $0.flag("atomic", atomic)
        }
    }
}

extension JSONObject {
    /// Clients count from 1.
    fileprivate func submittedNumber() throws(DecodingFault) -> MutationNumber {
        try read("n") { node throws(DecodingFault) in
            MutationNumber(UInt64(try node.whole(from: 1)))
        }
    }

    fileprivate func operations(within bounds: Bounds?) throws(DecodingFault) -> [Operation] {
        try read("ops") { node throws(DecodingFault) in
            try node.array().readAll(limit: bounds?.limits.operations ?? .max) {
                node throws(DecodingFault) in try Operation(json: node, within: bounds)
            }
        }
    }
}
