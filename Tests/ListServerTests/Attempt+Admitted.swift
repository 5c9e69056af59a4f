/// Attempts of those who are let in, to more than they may.
extension Attempt {
    private static func attempts(
        _ who: String, _ tokens: [String: String], _ probes: [String]
    ) -> [Attempt] {
        probes.map { probe in
            Attempt(
                name: "\(who): \(probe.prefix(60))", hello: Hello(token: tokens[who]),
                probes: [probe], expected: .refused)
        }
    }

    /// Otto owns `tools`, and nothing else.
    static func strangers(_ tokens: [String: String]) -> [Attempt] {
        attempts(
            "otto", tokens,
            Probe.reading("food") + Probe.writing("food") + Probe.owning("food")
                + [#"{"t":"open","list":"food","create":true}"#])
            + attempts("otto", tokens, Probe.reading("hidden"))
    }

    /// Rita may read `food`.
    static func readers(_ tokens: [String: String]) -> [Attempt] {
        attempts(
            "rita", tokens,
            Probe.writing("food") + Probe.owning("food") + [
                #"{"t":"open","list":"mine","create":true}"#,
                #"{"t":"create","r":1,"list":"foods"}"#, #"{"t":"submit","list":"food","n":1}"#,
            ])
            + attempts("rita", tokens, Probe.reading("hidden") + Probe.writing("hidden"))
    }

    /// Will may write `food`.
    static func writers(_ tokens: [String: String]) -> [Attempt] {
        attempts(
            "will", tokens,
            Probe.owning("food") + [
                #"{"t":"open","list":"new","create":true}"#,
                #"{"t":"submit","list":"food","n":1,"ops":[{"set":"milk","f":{}},"#
                    + #"{"describe":{"title":"x"}}]}"#,
            ])
            + attempts("will", tokens, Probe.reading("hidden") + Probe.writing("hidden"))
    }

    /// Another's client ID, and a second hello.
    static func impostors(_ tokens: [String: String]) -> [Attempt] {
        [
            #"{"t":"open","list":"food"}"#,
            #"{"t":"submit","list":"food","n":1,"ops":[{"insert":"milk","f":{}}],"again":true}"#,
            #"{"t":"submit","list":"food","n":50,"ops":[{"insert":"bad","f":{}}]}"#,
        ].map { probe in
            Attempt(
                name: "with ana's client ID: \(probe.prefix(40))",
                hello: Hello(client: "ana", token: tokens["will"]), probes: [probe],
                expected: .refused)
        } + [
            Attempt(
                name: "a second hello with ana's token", hello: Hello(token: tokens["otto"]),
                probes: [
                    #"{"t":"hello","v":1,"client":"x","name":"ana","#
                        + #""token":"\#(tokens["ana"] ?? "")"}"#,
                    #"{"t":"open","list":"food"}"#,
                ], expected: .refused)
        ]
    }

    static func renewals(_ tokens: [String: String]) -> [Attempt] {
        let shown: [(String, String)] = [
            ("ana's", tokens["ana"] ?? ""), ("an expired one", tokens["expired"] ?? ""),
            ("a revoked one", tokens["revoked"] ?? ""), ("none", ""), ("a wrong one", "x"),
            ("another tenant's", tokens["tina"] ?? ""),
        ]
        return shown.map { what, token in
            Attempt(
                name: "renewal with \(what)", hello: Hello(token: tokens["otto"]),
                probes: [
                    #"{"t":"renew","r":1,"token":"\#(token)"}"#, #"{"t":"open","list":"food"}"#,
                ], expected: .refused)
        }
    }

    /// Tina owns everything, of another tenant.
    static func tenants(_ tokens: [String: String]) -> [Attempt] {
        attempts(
            "tina", tokens,
            Probe.reading("food") + Probe.writing("food")
                + [#"{"t":"remove","r":5,"list":"food"}"#, #"{"t":"open","list":"none/food"}"#])
    }

    static func origins(_ tokens: [String: String]) -> [Attempt] {
        [
            "https://app.example.org.evil.tld", "https://evilapp.example.org", "null",
            "http://app.example.org", "https://app.example.org:8443", "https://app.example.org/",
            "https://APP.example.org", "https://example.org", "https://app.example.org@evil.tld",
            "https://app.example.org evil", "*", "file://", "https://app.example.org.",
            "https://app.example.org, https://evil.tld", "chrome-extension://app.example.org",
            "http://127.0.0.1", "https://xn--pp-example.org",
        ].map { origin in
            Attempt(
                name: "a page of \(origin)",
                headers: [
                    "Origin: \(origin)", "Authorization: Bearer \(tokens["ana"] ?? "")",
                ], expected: .status(403))
        }
    }
}
