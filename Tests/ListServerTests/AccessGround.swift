import CLibjwt
import Foundation
import ListAuthority
import ListModel
import ListProtocol
import Storage
import WebSockets

@testable import ListServer

/// A server with tokens of every kind, and a list `food` with something that nobody else may see.
final class AccessGround: Sendable {
    static let secret = "SECRET-ROW"
    static let origin = "https://app.example.org"

    let bench: Bench
    let server: Server
    let folder: TemporaryFolder
    /// Tokens by what they are.
    let tokens: [String: String]

    init(_ configure: (inout ServerOptions) -> Void = { _ in }) throws {
        bench = try Bench()
        folder = try TemporaryFolder()
        tokens = try Self.makeTokens(TokenStore(folder: folder.path))
        let keyFile = folder.path + "/signing.key"
        try Data(SigningKey.shared.secret).write(to: URL(fileURLWithPath: keyFile))
        server = try bench.server(withTokensIn: folder) { options in
            options.origins = [Self.origin]
            options.signing = SigningOptions(
                algorithm: .hs256, keyFile: keyFile, issuer: "https://id.example.org",
                audience: "samelist")
            configure(&options)
        }
    }

    private static func makeTokens(_ store: TokenStore) throws -> [String: String] {
        let before = Timestamp(milliseconds: WallClock.now.milliseconds - 1)
        func make(
            _ name: String, _ grants: String, _ tenant: Tenant = .unnamed, expires: Timestamp? = nil
        ) throws -> (id: String, text: String) {
            guard let user = UserName(name), let grants = [Grant](parsing: grants) else {
                throw Unexpected(grants)
            }
            return try store.create(for: user, tenant: tenant, grants, expires: expires)
        }
        let revoked = try make("rob", "*:own")
        let acme = Tenant("acme") ?? .unnamed
        let tokens = [
            "ana": try make("ana", "*:own").text, "rita": try make("rita", "food:read").text,
            "will": try make("will", "food:write").text,
            "otto": try make("otto", "tools:own").text,
            "tina": try make("tina", "*:own", acme).text,
            "expired": try make("eve", "*:own", expires: before).text, "revoked": revoked.text,
            "revokedID": revoked.id,
        ]
        _ = try store.revoke(revoked.id, isName: false)
        return tokens
    }

    func token(_ name: String) -> String { tokens[name] ?? "" }

    /// Says hello with a token and is welcomed.
    func client(_ name: String, id: String? = nil) async throws -> TestClient {
        let client = TestClient(bench.loop, port: server.port)
        guard try await client.event() == .opened, let clientID = ClientID(id ?? name),
            let user = UserName(name)
        else { throw Unexpected("no connection for \(name)") }
        client.send(
            .hello(ClientMessage.Hello(client: clientID, name: user, token: token(name))))
        let answer = try await client.next()
        guard case .welcome = answer else { throw Unexpected("no welcome for \(name): \(answer)") }
        return client
    }
}

extension Bench {
    /// A server that takes its tokens from a folder, and keeps its lists there.
    func server(
        withTokensIn folder: TemporaryFolder, _ configure: (inout ServerOptions) -> Void = { _ in }
    ) throws -> Server {
        var options = ServerOptions()
        options.port = 0
        options.bounds["hello-seconds"] = 600
        configure(&options)
        let server = try Server(options, folder: folder.path)
        keep(server)
        return server
    }
}
