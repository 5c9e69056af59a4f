internal import ListModel

extension ServerMessage: JSONWritable {
    init(_ message: JSONObject) throws(DecodingFault) {
        switch try message.read("t", as: String.self) {
        case "welcome": self = .welcome(try Welcome(message))
        case "snapshot":
            self = .snapshot(
                try message.read("list"), try SnapshotPart(message, graveDetails: false))
        case "entries": self = .entries(try message.read("list"), try message.read("entries"))
        case "caught-up":
            self = .caughtUp(
                try message.read("list"),
                Position(epoch: try message.read("epoch"), version: try message.read("version")),
                logged: try message.read("logged"),
                highest: try message.readIfPresent("highest") ?? .zero)
        case "outcome":
            self = .outcome(
                try message.read("list"), try message.read("n"), try Answer(message))
        case "presence":
            self = .presence(try message.read("list"), try PresenceChange(message))
        case "gone": self = .gone(try message.read("list"), try Gone(message))
        case "goodbye": self = .goodbye(try Goodbye(message))
        case let kind: self = try Self.answer(kind, message)
        }
    }

    /// The answers to a request.
    private static func answer(
        _ kind: String, _ message: JSONObject
    ) throws(DecodingFault) -> ServerMessage {
        switch kind {
        case "who": .who(try message.read("r"), try message.read("list"), try message.read("here"))
        case "fates":
            .fates(
                try message.readIfPresent("r"), try message.read("list"),
                try message.read("fates"))
        case "done": .done(try message.read("r"), try message.readIfPresent("list"))
        case "lists": .lists(try message.read("r"), try message.read("lists"))
        case "history":
            .history(
                try message.read("r"), try message.read("list"), try message.read("entries"))
        case "pong":
            .pong(
                try message.read("r"), try message.readIfPresent("list"),
                try message.readIfPresent("version"))
        case "renewed":
            .renewed(try message.read("r"), expires: try message.readIfPresent("expires"))
        case "error":
            .error(
                try message.readIfPresent("r"), try message.readIfPresent("list"),
                try Refusal(message))
        default: throw .unknownMessage(kind)
        }
    }

    func write(to writer: inout JSONWriter) { writer.object { writeMembers(to: &$0) } }

    private func writeMembers(to writer: inout JSONWriter) {
        switch self {
        case .welcome(let welcome): welcome.writeMembers(to: &writer)
        case .snapshot(let list, let part):
            writer.message("snapshot", list)
            part.writeMembers(to: &writer, graveDetails: false)
        case .entries(let list, let entries):
            writer.message("entries", list)
            writer.member("entries", entries)
        case .caughtUp(let list, let position, let logged, let highest):
            writer.message("caught-up", list)
            writer.member("epoch", position.epoch)
            writer.member("version", position.version)
            writer.member("logged", logged)
            if highest > .zero { writer.member("highest", highest) }
        case .outcome(let list, let n, let answer):
            writer.message("outcome", list)
            writer.member("n", n)
            answer.writeMembers(to: &writer)
        case .presence(let list, let change):
            writer.message("presence", list)
            change.writeMembers(to: &writer)
        case .gone(let list, let gone):
            writer.message("gone", list)
            gone.writeMembers(to: &writer)
        case .goodbye(let goodbye): goodbye.writeMembers(to: &writer)
        default: writeAnswer(to: &writer)
        }
    }

    /// The answers to a request.
    private func writeAnswer(to writer: inout JSONWriter) {
        switch self {
        case .who(let request, let list, let here):
            writer.message("who", request, list)
            writer.member("here", here)
        case .fates(let request, let list, let fates):
            writer.message("fates", request, list)
            writer.member("fates", fates)
        case .done(let request, let list): writer.message("done", request, list)
        case .lists(let request, let lists):
            writer.message("lists", request, nil)
            writer.member("lists", lists)
        case .history(let request, let list, let entries):
            writer.message("history", request, list)
            writer.member("entries", entries)
        case .pong(let request, let list, let version):
            writer.message("pong", request, list)
            writer.member("version", ifPresent: version)
        case .renewed(let request, let expires):
            writer.message("renewed", request, nil)
            writer.member("expires", ifPresent: expires)
        case .error(let request, let list, let refusal):
            writer.message("error", request, list)
            refusal.writeMembers(to: &writer)
        default: break
        }
    }
}
