import CLibjwt
import Foundation

/// An attempt to get past access control.
struct Attempt {
    let name: String
    var path = "/"
    var headers: [String] = []
    var subprotocol = "samelist.v1"
    /// Who was let in just before, and stays: with the same `Sec-WebSocket-Key`, as `RawClient` has
    /// but one.
    var before: Earlier?
    /// Said before hello.
    var early: [String] = []
    /// Of hello; `nil`: none is said.
    var hello: Hello? = Hello()
    /// Said behind hello. All of it must be refused.
    var probes: [String] = []
    let expected: Expected

    struct Hello {
        var client = "intruder"
        var name = "ana"
        var token: String?
    }

    struct Earlier {
        let token: String
    }

    enum Expected: Equatable {
        /// The handshake is answered so.
        case status(Int)
        /// No welcome: the connection is closed with this code.
        case closed(UInt16)
        /// Welcome, and a refusal of every probe.
        case refused
    }

    /// What any answer to an attempt may be; everything else has got through.
    static let refusals: Set<String> = [
        "not_allowed", "not_authenticated", "read_only", "hello_first", "no_such_list", "malformed",
        "bad_name", "not_open",
    ]
}

extension Attempt {
    /// All of them, against a server with these tokens.
    static func all(_ tokens: [String: String]) -> [Attempt] {
        badTokens(tokens) + otherPlaces(tokens) + signed() + beforeHello()
            + strangers(tokens) + readers(tokens) + writers(tokens) + impostors(tokens)
            + renewals(tokens) + tenants(tokens) + origins(tokens)
    }

    /// Tokens that do not hold, where a token belongs: the header, and the first message.
    private static func badTokens(_ tokens: [String: String]) -> [Attempt] {
        let good = tokens["ana"] ?? ""
        let bad: [(String, String?)] = [
            ("no token", nil), ("an empty one", ""), ("a wrong one", "sl1.YW5h.AAAA"),
            ("a good one cut short", String(good.dropLast())), ("a good one and more", good + "A"),
            ("a good one in capitals", good.uppercased()), ("an expired one", tokens["expired"]),
            ("a revoked one", tokens["revoked"]), ("the ID of one", tokens["revokedID"]),
            ("a name", "ana"), ("a star", "*"), ("null", "null"),
            ("9,000 letters", String(repeating: "A", count: 9_000)),
        ]
        return bad.flatMap { what, token -> [Attempt] in
            var attempts = [
                Attempt(
                    name: "\(what) in hello", hello: Hello(token: token), expected: .closed(4304))
            ]
            // libwebsockets itself hangs up on a header of that length.
            if let token, token.count < 4_000 {
                attempts.append(
                    Attempt(
                        name: "\(what) in the header", headers: ["Authorization: Bearer \(token)"],
                        expected: .status(401)))
            }
            return attempts
        }
    }

    /// A good token where none belongs.
    private static func otherPlaces(_ tokens: [String: String]) -> [Attempt] {
        let good = tokens["ana"] ?? ""
        func attempt(_ name: String, path: String = "/", _ headers: String...) -> Attempt {
            Attempt(name: name, path: path, headers: headers, expected: .closed(4304))
        }
        return [
            attempt("in the query", path: "/?token=\(good)"),
            attempt("in the query, as OAuth has it", path: "/?access_token=\(good)"),
            attempt("in the query, as the header has it", path: "/?authorization=Bearer%20\(good)"),
            attempt("in the path", path: "/\(good)"),
            attempt("in a cookie", "Cookie: token=\(good); Authorization=\(good)"),
            attempt("for a proxy", "Proxy-Authorization: Bearer \(good)"),
            attempt("the word of a proxy", "X-Forwarded-User: ana", "X-Remote-User: ana"),
            attempt(
                "an address of this machine", "X-Forwarded-For: 127.0.0.1", "Forwarded: for=::1"),
            Attempt(
                name: "among the subprotocols", subprotocol: "samelist.v1, \(good)",
                expected: .closed(4304)),
            Attempt(
                name: "as a password", headers: ["Authorization: Basic YW5hOnRva2Vu"],
                expected: .status(401)),
            Attempt(
                name: "without its scheme", headers: ["Authorization: \(good)"],
                expected: .status(401)),
            Attempt(
                name: "behind another", headers: ["Authorization: Bearer x \(good)"],
                expected: .status(401)),
            Attempt(
                name: "in a second header",
                headers: ["Authorization: Bearer x", "Authorization: Bearer \(good)"],
                expected: .status(401)),
            Attempt(
                name: "the nonce of a handshake that was let in, and what answered it",
                headers: ["Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="],
                before: Earlier(token: good), expected: .closed(4304)),
            Attempt(
                name: "the nonce and the client of one that is let in",
                before: Earlier(token: good), hello: Hello(client: "ana-1"),
                expected: .closed(4304)),
        ]
    }

    private static func signed() -> [Attempt] {
        let key = SigningKey.shared
        let good = key.token(SigningKey.claims())
        let parts = good.split(separator: ".").map(String.init)
        let none = SigningKey(algorithm: JWT_ALG_NONE, secret: []).token(SigningKey.claims())
        let other = SigningKey(algorithm: JWT_ALG_HS256, secret: Array(repeating: 7, count: 32))
        let long = SigningKey(algorithm: JWT_ALG_HS512, secret: key.secret)
        let now = Int(Date().timeIntervalSince1970)
        let tokens: [(String, String)] = [
            ("alg none", none), ("alg none with the signature of another", none + parts[2]),
            ("no signature", "\(parts[0]).\(parts[1])."), ("two parts", "\(parts[0]).\(parts[1])"),
            ("another's signature", other.token(SigningKey.claims())),
            ("another algorithm", long.token(SigningKey.claims())),
            ("expired", key.token(SigningKey.claims(["exp": "\(now - 1)"]))),
            ("no expiry", key.token(SigningKey.claims(["exp": nil]))),
            ("an expiry that is text", key.token(SigningKey.claims(["exp": "\"never\""]))),
            ("not valid yet", key.token(SigningKey.claims(["nbf": "\(now + 600)"]))),
            ("another issuer", key.token(SigningKey.claims(["iss": "\"https://evil\""]))),
            ("no issuer", key.token(SigningKey.claims(["iss": nil]))),
            ("another audience", key.token(SigningKey.claims(["aud": "\"other\""]))),
            ("no audience", key.token(SigningKey.claims(["aud": nil]))),
            ("no name", key.token(SigningKey.claims(["sub": nil]))),
            ("no lists", key.token(SigningKey.claims(["samelist": nil]))),
            (
                "an unknown right",
                key.token(SigningKey.claims(["samelist": #"{"lists":{"*":"root"}}"#]))
            ),
            ("dots", ".."), ("braces", "e30.e30.e30"),
        ]
        return tokens.flatMap { what, token in
            [
                Attempt(
                    name: "a signed token: \(what)", hello: Hello(token: token),
                    expected: .closed(4304)),
                Attempt(
                    name: "a signed token in the header: \(what)",
                    headers: ["Authorization: Bearer \(token)"], expected: .status(401)),
            ]
        }
    }

    private static func beforeHello() -> [Attempt] {
        (Probe.reading("food") + Probe.writing("food") + Probe.owning("food") + Probe.general).map {
            Attempt(
                name: "before hello: \($0)", early: [$0], hello: nil,
                expected: .closed(4300))
        }
    }
}

/// Messages that ask for something.
enum Probe {
    static func reading(_ list: String) -> [String] {
        [
            #"{"t":"open","list":"\#(list)"}"#,
            #"{"t":"open","list":"\#(list)","at":["x.y",0],"editing":["milk"],"presence":true}"#,
            #"{"t":"who","r":1,"list":"\#(list)"}"#,
            #"{"t":"history","r":2,"list":"\#(list)","limit":9}"#,
            #"{"t":"fates","r":3,"list":"\#(list)","ids":["milk","gone"]}"#,
            #"{"t":"ping","r":4,"list":"\#(list)"}"#,
        ]
    }

    static func writing(_ list: String) -> [String] {
        [
            #"{"insert":"bad","f":{"title":"bad"}}"#, #"{"set":"milk","f":{"title":"bad"}}"#,
            #"{"count":"milk","field":"cups","by":1}"#, #"{"move":["milk"],"at":"first"}"#,
            #"{"delete":"milk"}"#, #"{"restore":"gone"}"#,
        ].enumerated().map { index, operation in
            #"{"t":"submit","list":"\#(list)","n":\#(index + 1),"ops":[\#(operation)]}"#
        } + [#"{"t":"presence","list":"\#(list)","editing":["milk"]}"#]
    }

    static func owning(_ list: String) -> [String] {
        [
            #"{"t":"submit","list":"\#(list)","n":90,"ops":[{"describe":{"title":"bad"}}]}"#,
            #"{"t":"remove","r":5,"list":"\#(list)"}"#,
            #"{"t":"create","r":6,"list":"\#(list)","title":"bad"}"#,
        ]
    }

    static let general = [#"{"t":"lists","r":7}"#, #"{"t":"ping","r":8}"#]
}
