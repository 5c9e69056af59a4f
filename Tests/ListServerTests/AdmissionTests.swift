import CLibjwt
import Foundation
import ListAuthority
import ListModel
import ListProtocol
import Storage
import Testing
import WebSockets

@testable import ListServer

@Suite("Admission", .timeLimit(.minutes(10))) struct AdmissionTests {
    private func grants(_ text: String) throws -> [Grant] { try #require([Grant](parsing: text)) }

    private func user(_ text: String) throws -> UserName { try #require(UserName(text)) }

    private func goneAndClosed(_ client: TestClient) async throws -> (
        gone: [ListName], code: UInt16
    ) {
        let end = try await client.end()
        var gone: [ListName] = []
        for case .gone(let list, let word) in end.messages where word.code == .accessLost {
            gone.append(list)
        }
        for message in end.messages { if case .entries = message { Issue.record("\(message)") } }
        guard case .peer(let code, _) = end.reason else { throw Unexpected("\(end.reason)") }
        return (gone, code)
    }

    @Test func `a token is kept as a hash alone, and shown once`() throws {
        let folder = try TemporaryFolder()
        let store = TokenStore(folder: folder.path)
        #expect(try store.all() == nil)
        let token = try store.create(
            for: try user("ana"), tenant: .unnamed, try grants("team-*:write,x:own"), expires: nil)
        for (name, bytes) in try folder.contents() {
            let secret = token.text.split(separator: ".").last.map(String.init) ?? ""
            #expect(bytes.firstRange(of: Data(secret.utf8)) == nil, "\(name)")
        }
        let all = try #require(try store.all())
        #expect(all.map(\.id) == [token.id] && all[0].grants.text == "team-*:write,x:own")
        #expect(token.text.hasPrefix("sl1.YW5h.") && token.text.count == 52)
        #expect(try store.revoke("nobody", isName: true).isEmpty)
        #expect(try store.revoke(token.id, isName: false) == [token.id])
        #expect(try store.revoke(token.id, isName: false).isEmpty)
        #expect(try store.all()?.first?.state(at: WallClock.now) == .revoked)
    }

    @Test func `AU3: revocation ends access on a live connection within 5 s`() async throws {
        let ground = try AccessGround()
        let ana = try await ground.client("ana")
        _ = try await ana.open(name("food"), create: true)
        let will = try await ground.client("will")
        _ = try await will.open(name("food"))
        let clock = ContinuousClock()
        let start = clock.now
        _ = try TokenStore(folder: ground.folder.path).revoke("will", isName: true)
        let end = try await goneAndClosed(will)
        #expect(end.gone == [name("food")] && end.code == CloseCode.notAuthenticated.rawValue)
        #expect(clock.now - start < .seconds(30))
        #expect(
            try await ana.submit(1, [try insert("a")], to: name("food"))
                == .logged(Version(1), skips: []))
    }

    @Test func `AU3: expiry does, too`() async throws {
        let ground = try AccessGround()
        let ana = try await ground.client("ana")
        _ = try await ana.open(name("food"), create: true)
        // On a busy machine the shorter ones are over before anybody is let in.
        var welcomed: (client: TestClient, until: Timestamp)?
        for life: Int64 in [1_500, 6_000, 24_000] where welcomed == nil {
            let soon = Timestamp(milliseconds: WallClock.now.milliseconds + life)
            let token = try TokenStore(folder: ground.folder.path).create(
                for: try user("eve"), tenant: .unnamed, try grants("*:read"), expires: soon)
            guard let client = try? await admitted(token.text, by: ground) else { continue }
            welcomed = (client, soon)
        }
        let (eve, soon) = try #require(welcomed)
        _ = try await eve.open(name("food"))
        let end = try await goneAndClosed(eve)
        #expect(end.gone == [name("food")] && end.code == CloseCode.notAuthenticated.rawValue)
        let late = WallClock.now.milliseconds - soon.milliseconds
        #expect((0..<30_000).contains(late))
    }

    /// A token that was just made is known after a moment.
    private func admitted(_ token: String, by ground: AccessGround) async throws -> TestClient {
        for _ in 0..<100 {
            let raw = try RawClient(
                port: ground.server.port, headers: ["Authorization: Bearer \(token)"])
            if raw.status == 101 {
                return try await ground.bench.client("x", token: token, of: ground.server)
            }
            await pass(50, on: ground.bench.loop)
        }
        throw Unexpected("the token was never noticed")
    }

    private func pass(_ milliseconds: UInt64, on loop: EventLoop) async {
        await withCheckedContinuation { continuation in
            loop.post { loop.after(milliseconds: milliseconds) { continuation.resume() } }
        }
    }

    @Test func `the first token closes a server that stood open`() async throws {
        let folder = try TemporaryFolder()
        let bench = try Bench()
        let server = try bench.server(withTokensIn: folder)
        let bob = try await bench.client("bob", of: server)
        _ = try await bob.open(create: true)
        _ = try TokenStore(folder: folder.path).create(
            for: try user("ana"), tenant: .unnamed, try grants("*:own"), expires: nil)
        let end = try await goneAndClosed(bob)
        #expect(end.gone == [todo] && end.code == CloseCode.notAuthenticated.rawValue)
        _ = try TokenStore(folder: folder.path).revoke("ana", isName: true)
        let again = try bench.server(withTokensIn: try TemporaryFolder())
        again.stop()
        server.stop()
        // It does not open again with the last token's end.
        let later = try bench.server(withTokensIn: folder)
        let stranger = try RawClient(port: later.port)
        stranger.send(#"{"t":"hello","v":1,"client":"x","name":"bob"}"#)
        guard case .text(let text)? = stranger.next() else { throw Unexpected("no answer") }
        #expect(text.contains("not_authenticated"))
    }

    @Test func `a token may be renewed in band, by another of the same name`() async throws {
        let ground = try AccessGround()
        let key = SigningKey.shared
        let now = Int(Date().timeIntervalSince1970)
        let first = key.token(SigningKey.claims(["exp": "\(now + 300)"]))
        let jo = try await ground.bench.client("jo", token: first, of: ground.server)
        let second = key.token(SigningKey.claims(["exp": "\(now + 500)"]))
        jo.send(.renew(7, token: second))
        let expires = try await jo.first { message -> Timestamp?? in
            if case .renewed(7, let expires) = message { return .some(expires) }
            return nil
        }
        #expect(expires == Timestamp(milliseconds: Int64(now + 500) * 1_000))
        jo.send(.renew(8, token: key.token(SigningKey.claims(["sub": "\"eve\""]))))
        let refused = try await jo.first { message -> Code? in
            if case .error(8, _, let refusal) = message { return refusal.code }
            return nil
        }
        #expect(refused == .notAuthenticated)
    }

    @Test func `a restored folder keeps its tokens, and what was revoked stays so`() throws {
        let folder = try TemporaryFolder()
        let data = folder.path + "/data"
        let bench = try Bench()
        let store = TokenStore(folder: data)
        let token = try store.create(
            for: try user("ana"), tenant: .unnamed, try grants("*:own"), expires: nil)
        var options = ServerOptions()
        options.port = 0
        options.bounds["hello-seconds"] = 600
        let server = try Server(options, folder: data)
        bench.keep(server)
        try FolderCopy(of: data, to: folder.path + "/copy").make()
        server.stop()
        _ = try store.revoke(token.id, isName: false)
        let other = try store.create(
            for: try user("bob"), tenant: .unnamed, try grants("*:read"), expires: nil)
        _ = try FolderCopy.restore(folder.path + "/copy", to: data, replacing: true)
        let all = try #require(try store.all())
        #expect(all.map(\.id) == [token.id, other.id])
        #expect(all.map { $0.state(at: WallClock.now) } == [.revoked, .valid])
    }
}

@Suite("Signed tokens") struct SignedTokensTests {
    private let folder: TemporaryFolder
    private let now = WallClock.now

    init() throws { folder = try TemporaryFolder() }

    private func shell(_ script: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "cd \(folder.path) && exec >/dev/null 2>&1 && \(script)"]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Unexpected(script) }
    }

    private func bytes(_ file: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + file)))
    }

    private func tokens(_ algorithm: SigningOptions.Algorithm, _ file: String) throws
        -> SignedTokens
    {
        try SignedTokens(
            SigningOptions(
                algorithm: algorithm, keyFile: folder.path + "/" + file,
                issuer: "https://id.example.org", audience: "samelist"), limits: Limits())
    }

    private static let makeKeys = """
        openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out rsa.pem && \
        openssl pkey -in rsa.pem -pubout -out rsa.pub && \
        openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out ec.pem && \
        openssl pkey -in ec.pem -pubout -out ec.pub
        """

    @Test func `each algorithm takes its own tokens and no other's`() throws {
        try shell(Self.makeKeys)
        let rsa = SigningKey(algorithm: JWT_ALG_RS256, secret: try bytes("rsa.pem"))
        let ec = SigningKey(algorithm: JWT_ALG_ES256, secret: try bytes("ec.pem"))
        // The public key as a secret: the oldest of tricks.
        let confused = SigningKey(algorithm: JWT_ALG_HS256, secret: try bytes("rsa.pub"))
        let none = SigningKey(algorithm: JWT_ALG_NONE, secret: [])
        let good = SigningKey.claims()
        let forRSA = try tokens(.rs256, "rsa.pub")
        let admission = try #require(forRSA.admission(of: rsa.token(good), at: now))
        #expect(admission.access.name.text == "jo" && admission.tenant == .unnamed)
        #expect(admission.access.grants.text == "food:read")
        for key in [ec, confused, none, .shared] {
            #expect(forRSA.admission(of: key.token(good), at: now) == nil)
        }
        let forEC = try tokens(.es256, "ec.pub")
        #expect(forEC.admission(of: ec.token(good), at: now) != nil)
        for key in [rsa, confused, none, .shared] {
            #expect(forEC.admission(of: key.token(good), at: now) == nil)
        }
    }

    @Test func `a token names a tenant, several audiences, and when it begins`() throws {
        try Data(SigningKey.shared.secret).write(to: URL(fileURLWithPath: folder.path + "/key"))
        let tokens = try tokens(.hs256, "key")
        let claims = SigningKey.claims([
            "aud": #"["other","samelist"]"#, "nbf": "1",
            "samelist": #"{"tenant":"acme","lists":{"team-*":"write","x":"own"}}"#,
        ])
        let admission = try #require(
            tokens.admission(of: SigningKey.shared.token(claims), at: now))
        #expect(admission.tenant.text == "acme")
        #expect(admission.access.grants.text == "team-*:write,x:own")
        let late = Timestamp(milliseconds: now.milliseconds + 601_000)
        #expect(tokens.admission(of: SigningKey.shared.token(claims), at: late) == nil)
    }

    @Test func `a key that can be none is refused`() throws {
        try Data("short".utf8).write(to: URL(fileURLWithPath: folder.path + "/key"))
        for algorithm in SigningOptions.Algorithm.allCases {
            #expect(throws: ServerError.self) { try tokens(algorithm, "key") }
            #expect(throws: ServerError.self) { try tokens(algorithm, "missing") }
        }
    }
}
