import Foundation
import ListProtocol
import Testing

/// Nothing that must not be known is in what `samelistd` prints, logs or answers, whatever is done
/// with it.
@Suite("Secrets", .timeLimit(.minutes(10))) struct SecretTests {
    private let folder: URL
    private let key = "KEY-of-a-provider-0123456789-0123456789"
    private let short = "KEY-that-is-short"
    private let row = "ROW-of-somebody"
    private let title = "TITLE-of-a-list"
    private let garbage = "sl1.YW5h.GARBAGE-0123456789012345678901234567"
    private let password = "PASSWORD-0123456789"

    init() throws { folder = try temporaryFolder() }

    @Test func `no log, no output and no error holds one`() throws {
        let ana = try token("ana")
        let bob = try token("bob")
        var said = try run(["token", "revoke", "--name", "bob"], in: folder).everything
        let signed = try signedToken("jo", key, expires: 600)
        let expired = try signedToken("jo", key, expires: -600)
        let forged = try signedToken("jo", password, expires: 601)
        try write(key, "signing.key")
        let log = folder.appendingPathComponent("log")
        try write("", "log")
        let (daemon, line, port) = try Daemon.serving(
            [
                "--log-level", "debug", "--jwt-key", "signing.key", "--jwt-alg", "HS256",
                "--jwt-issuer", "i", "--jwt-audience", "samelist",
            ], in: folder, errorFile: try FileHandle(forWritingTo: log))
        said += line
        try work(with: ana, port)
        for token in [bob, expired, forged, garbage, ""] {
            said += try knock(token, port)
            said += try greet("\"\(token)\"", port)
        }
        said += try greet("[\"\(ana)\"]", port) + greet("\"\(ana)", port)
        said += try renew(signed, port)
        said += try wander(ana, port)
        try write(short, "signing.key")
        daemon.signal(SIGHUP)
        try untilLogged("key-unusable", log)
        daemon.signal(SIGTERM)
        let ended = daemon.end()
        #expect(ended.code == 0)
        said += ended.everything + (try misuse(ana))
        let logged = try String(contentsOf: log, encoding: .utf8)
        for event in ["admitted", "not-admitted", "refused", "key-unusable", "closing"] {
            #expect(logged.contains("event=\(event)"), "the log is not that of all this")
        }
        let parts = [ana, bob, signed, expired, forged].flatMap { Self.secrets(in: $0) }
        for secret in parts + [key, short, row, title, garbage, password] {
            #expect(!logged.contains(secret), "the log holds \(secret)")
            #expect(!said.contains(secret), "an answer holds \(secret)")
        }
        #expect(Set(parts).count == 8)
    }

    // What is done.

    /// Says what only those who may read the list may hear.
    private func work(with token: String, _ port: UInt16) throws {
        let socket = try RawSocket(port: port)
        socket.askForWebSocket(header: "Authorization: Bearer \(token)\r\n")
        #expect(socket.read(upTo: "\r\n\r\n").contains(" 101 "))
        socket.say(#"{"t":"hello","v":1,"client":"c1","name":"ana"}"#)
        socket.say(#"{"t":"create","r":1,"list":"food","title":"\#(title)"}"#)
        socket.say(#"{"t":"open","list":"food"}"#)
        let insert = #"{"insert":"milk","at":"last","f":{"title":"\#(row)"}}"#
        for n in [1, 1, 2] {
            socket.say(#"{"t":"submit","list":"food","n":\#(n),"heard":0,"ops":[\#(insert)]}"#)
        }
        socket.say(#"{"t":"submit","list":"food","n":"\#(row)","ops":[]}"#)
        socket.say(#"{"t":"\#(row)","list":"\#(title)"}"#)
        socket.say(#"{"t":"submit","list":"food","n":3,"ops":[{"set":"milk","f":{"\#(row)":"#)
        socket.say(#"{"t":"ping","r":9}"#)
        #expect(socket.read(upTo: #""t":"pong""#).contains(row))
    }

    /// Shows a token in the handshake.
    private func knock(_ token: String, _ port: UInt16) throws -> String {
        let socket = try RawSocket(port: port)
        socket.askForWebSocket(header: "Authorization: Bearer \(token)\r\n")
        return socket.read(upTo: "no such mark")
    }

    /// Shows one in hello, as the JSON that is given.
    private func greet(_ token: String, _ port: UInt16) throws -> String {
        let socket = try RawSocket(port: port)
        try socket.becomeWebSocket()
        socket.say(#"{"t":"hello","v":1,"client":"c2","name":"ana","token":\#(token)}"#)
        socket.say(#"{"t":"open","list":"food"}"#)
        return socket.read(upTo: #""t":"goodbye""#)
    }

    /// Is let in, and shows others that renew nothing.
    private func renew(_ token: String, _ port: UInt16) throws -> String {
        let socket = try RawSocket(port: port)
        try socket.becomeWebSocket()
        socket.say(#"{"t":"hello","v":1,"client":"c3","name":"x","token":"\#(token)"}"#)
        socket.say(#"{"t":"renew","r":1,"token":"\#(garbage)"}"#)
        socket.say(#"{"t":"renew","r":2,"token":{"\#(garbage)":1}}"#)
        socket.say(#"{"t":"renew","r":3,"token":"\#(token)"}"#)
        socket.say(#"{"t":"open","list":"food"}"#)
        socket.say(#"{"t":"ping","r":9}"#)
        let answers = socket.read(upTo: #""t":"pong""#)
        #expect(answers.contains("not_authenticated") && answers.contains("not_allowed"))
        #expect(answers.contains(#""t":"renewed","r":3"#))
        return answers
    }

    /// Where a token does not belong.
    private func wander(_ token: String, _ port: UInt16) throws -> String {
        let query = try RawSocket(port: port)
        query.askForWebSocket("/?token=\(token)")
        query.say(#"{"t":"hello","v":1,"client":"c4","name":"ana"}"#)
        let basic = try RawSocket(port: port)
        basic.askForWebSocket(header: "Authorization: Basic \(password)\r\n")
        let page = try RawSocket.get("/\(token)?token=\(token)", port: port).body
        return query.read(upTo: #""t":"goodbye""#) + basic.read(upTo: "no such mark") + page
    }

    /// Where a token is given instead of something else.
    private func misuse(_ token: String) throws -> String {
        try write(short, "cert.pem")
        try write(token, "ana.token")
        let commands = [
            ["token", "revoke", token], ["serve", "--config", "ana.token"],
            [
                "serve", "--jwt-key", key, "--jwt-alg", "HS256", "--jwt-issuer", "i",
                "--jwt-audience", "a", "--listen", "127.0.0.1:0",
            ],
            ["serve", "--tls-cert", "cert.pem", "--tls-key", "cert.pem", "--listen", "[::1]:0"],
            [
                "serve", "--jwt-key", "signing.key", "--jwt-alg", "HS256", "--jwt-issuer", "i",
                "--jwt-audience", "a", "--listen", "127.0.0.1:0",
            ],
        ]
        return try commands.map { words in
            let ended = try run(words, in: folder)
            #expect(ended.code != 0 && !ended.errors.isEmpty)
            return ended.everything
        }.joined()
    }

    // What the tests need.

    private func token(_ user: String) throws -> String {
        let words = ["--name", user, "--list", "*", "--rights", "own"]
        let made = try run(["token", "create"] + words, in: folder)
        let token = made.output.trimmingCharacters(in: .newlines)
        #expect(made.code == 0 && !made.errors.contains(token))
        return token
    }

    private func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name), options: .atomic)
    }

    private func signedToken(_ user: String, _ key: String, expires: Int) throws -> String {
        try SignedToken.make(
            user, key, expires: expires, lists: #"{"tools":"read"}"#, in: folder)
    }

    /// Looks again and again; each look runs a program.
    private func untilLogged(_ event: String, _ log: URL) throws {
        for _ in 0..<500 {
            if try shell("grep -q event=\(event) \(log.path)", in: folder) { return }
        }
        throw Unexpected("\(event) was never logged")
    }

    /// The parts of a token that must not be known.
    private static func secrets(in token: String) -> [String] {
        let parts = token.split(separator: ".").map(String.init)
        return parts[0] == "sl1" ? [parts[2]] : Array(parts[1...])
    }
}

extension Ended {
    fileprivate var everything: String { output + errors }
}
