internal import ListModel

/// `"version":12` or `"noop":true` or `"refused":{…}`, then `"skip"`, `"told"`, `"current"`.
extension ServerMessage.Answer {
    init(_ message: JSONObject) throws(DecodingFault) {
        self.init(
            try Outcome(message), told: try message.readIfPresent("told") ?? [],
            current: try message.readIfPresent("current") ?? [])
    }

    func writeMembers(to writer: inout JSONWriter) {
        switch outcome {
        case .logged(let version, let skips):
            writer.member("version", version)
            writer.member("skip", unlessEmpty: skips)
        case .nothing(let skips):
            writer.flag("noop", true)
            writer.member("skip", unlessEmpty: skips)
        case .refused(let refusal):
            writer.key("refused")
            writer.object { refusal.writeMembers(to: &$0) }
        }
        writer.member("told", unlessEmpty: told)
        writer.member("current", unlessEmpty: current)
    }
}

extension Outcome {
    fileprivate init(_ message: JSONObject) throws(DecodingFault) {
        let skips: [Skip] = try message.readIfPresent("skip") ?? []
        let version: Version? = try message.readIfPresent("version")
        let refusal = try message.readIfPresent("refused") { node throws(DecodingFault) in
            try Refusal(node.object())
        }
        switch (version, try message.flag("noop"), refusal) {
        case (let version?, false, nil): self = .logged(version, skips: skips)
        case (nil, true, nil): self = .nothing(skips: skips)
        case (nil, false, let refusal?): self = .refused(refusal)
        default: throw DecodingFault(.malformed, "has none or several of version, noop, refused")
        }
    }
}

/// `"code":"removed","text":"…","id":"x"`.
extension Refusal {
    init(_ object: JSONObject) throws(DecodingFault) {
        self.init(
            try object.read("code"), try object.read("text"), id: try object.readIfPresent("id"))
    }

    func writeMembers(to writer: inout JSONWriter) {
        writer.member("code", code)
        writer.member("text", sentence)
        writer.member("id", ifPresent: id)
    }
}

extension ServerMessage.Welcome {
    init(_ message: JSONObject) throws(DecodingFault) {
        let version: Int = try message.read("v")
        let name: UserName = try message.read("name")
        let session: UInt64 = try message.read("session")
        let expires: Timestamp? = try message.readIfPresent("expires")
        self = try message.read("limits") { node throws(DecodingFault) in
            let limits = try node.object()
            return Self(
                version: version, name: name, session: session, expires: expires,
                messageBytes: try limits.read("message"),
                operations: try limits.read("operations"),
                elementBytes: try limits.read("element"), fields: try limits.read("fields"))
        }
    }

    func writeMembers(to writer: inout JSONWriter) {
        writer.message("welcome")
        writer.member("v", version)
        writer.member("name", name)
        writer.member("session", session)
        writer.member("expires", ifPresent: expires)
        writer.key("limits")
        writer.object {
            $0.member("message", messageBytes)
            $0.member("operations", operations)
            $0.member("element", elementBytes)
            $0.member("fields", fields)
        }
    }
}

extension ServerMessage.Gone {
    init(_ message: JSONObject) throws(DecodingFault) {
        self.init(
            code: try message.read("code"), by: try message.readIfPresent("by"),
            at: try message.read("at"))
    }

    func writeMembers(to writer: inout JSONWriter) {
        writer.member("code", code)
        writer.member("by", ifPresent: by)
        writer.member("at", at)
    }
}

extension ServerMessage.Goodbye {
    init(_ message: JSONObject) throws(DecodingFault) {
        let code = try message.read("code") { node throws(DecodingFault) in
            guard let code = UInt16(exactly: try node.whole(from: 0)) else {
                throw .expected("a close code")
            }
            return code
        }
        self.init(
            code: code, sentence: try message.read("text"),
            retry: try message.readIfPresent("retry"))
    }

    func writeMembers(to writer: inout JSONWriter) {
        writer.message("goodbye")
        writer.member("code", Int(code))
        writer.member("text", sentence)
        writer.member("retry", ifPresent: retry)
    }
}

extension PresenceChange {
    init(_ message: JSONObject) throws(DecodingFault) {
        self.init(
            isWhole: try message.flag("whole"), here: try message.readIfPresent("here") ?? [],
            left: try message.readIfPresent("left") ?? [])
    }

    func writeMembers(to writer: inout JSONWriter) {
        writer.flag("whole", isWhole)
        writer.member("here", unlessEmpty: here)
        writer.member("left", unlessEmpty: left)
    }
}
