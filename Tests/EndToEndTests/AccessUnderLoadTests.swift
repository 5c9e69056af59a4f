import Foundation
import ListModel
import ListProtocol
import Testing
import WebSockets

/// Access that ends, or is looked at anew, while 200 clients write and read through one real
/// server: it ends for those whom it is meant for, and nobody else is told, delayed or cut off.
@Suite("Access under load", .serialized, .timeLimit(.minutes(15))) struct AccessUnderLoadTests {
    private static let perUser = 10
    private let folder: URL

    init() throws { folder = try temporaryFolder() }

    /// A token for each of these users, who all may write in every list.
    private func tokens(_ users: [String], expires: String = "1d") throws -> [String: String] {
        var tokens: [String: String] = [:]
        for user in users {
            let made = try run(
                [
                    "token", "create", "--data", "samelist-data", "--name", user, "--list", "*",
                    "--rights", "own", "--expires", expires,
                ], in: folder)
            guard made.code == 0 else { throw Unexpected(made.errors) }
            tokens[user] = made.output.trimmingCharacters(in: .newlines)
        }
        return tokens
    }

    private func names(_ prefix: String, _ count: Int) -> [String] {
        (0..<count).map { "\(prefix)-\($0)" }
    }

    /// A crowd in which every user has some clients, the list's maker before all others.
    private func crowd(
        _ endpoint: WebSocketClient.Endpoint, _ tokens: [String: String]
    ) throws -> Crowd {
        let crowd = try Crowd("food", of: endpoint)
        var users = tokens.sorted { $0.key < $1.key }
        let first = users.removeFirst()
        crowd.add(1, of: first.key, first.value)
        try crowd.wait("made the list") { $0.allSatisfy(\.isReady) }
        crowd.add(Self.perUser - 1, of: first.key, first.value)
        for user in users { crowd.add(Self.perUser, of: user.key, user.value) }
        return crowd
    }

    private func plain(_ port: UInt16) -> WebSocketClient.Endpoint {
        WebSocketClient.Endpoint(host: "127.0.0.1", port: port)
    }

    /// What those are told whose access ended; empty where all is as it must be.
    private func complaints(of crowd: Crowd, _ isMeant: @escaping @Sendable (Member) -> Bool)
        -> [String]
    {
        crowd.ask { members in
            members.filter(isMeant).flatMap { member in
                var complaints = member.faults
                if member.closeCode != CloseCode.notAuthenticated.rawValue {
                    complaints.append("closed: \(String(describing: member.closed))")
                }
                if member.gone != .accessLost {
                    complaints.append("gone: \(String(describing: member.gone))")
                }
                if member.errors != [.notAuthenticated] {
                    complaints.append("errors: \(member.errors)")
                }
                return complaints
            }
        }
    }

    /// The longest that one of those waited for an outcome: whoever is delayed notices.
    private func longestWait(
        in crowd: Crowd, _ isMeant: @escaping @Sendable (Member) -> Bool
    ) -> Duration {
        crowd.ask { $0.filter(isMeant).flatMap(\.waited).max() ?? .zero }
    }

    @Test func `AU3: revoked tokens' connections are closed at once, and no other is touched`()
        throws
    {
        let leaving = Set(names("leaves", 6))
        let tokens = try tokens(names("stays", 14) + leaving)
        let (daemon, _, port) = try Daemon.serving(in: folder)
        let crowd = try crowd(plain(port), tokens)
        let stays: @Sendable (Member) -> Bool = { !leaving.contains($0.user) }
        let leaves: @Sendable (Member) -> Bool = { leaving.contains($0.user) }
        try crowd.untilWritten(5) { _ in true }
        var revoked = ContinuousClock.now
        for user in leaving.sorted() {
            let ended = try run(
                ["token", "revoke", "--data", "samelist-data", "--name", user], in: folder)
            #expect(ended.code == 0)
            revoked = ContinuousClock.now
        }
        try crowd.wait("closed") { $0.filter(leaves).allSatisfy { $0.closed != nil } }
        let last = crowd.ask { $0.filter(leaves).map(\.closedAt).max() } ?? revoked
        #expect(last - revoked < .seconds(30))
        #expect(complaints(of: crowd, leaves) == [])
        try crowd.untilWritten(5, by: stays)
        #expect(try crowd.settle(those: stays) == [])
        #expect(longestWait(in: crowd, stays) < .seconds(30))
        // And they do not come back.
        for user in leaving.sorted() { crowd.add(1, of: user, tokens[user] ?? "") }
        try crowd.wait("refused") { $0.suffix(leaving.count).allSatisfy { $0.closed != nil } }
        let codes = crowd.ask { $0.suffix(leaving.count).map(\.closeCode) }
        #expect(codes.allSatisfy { $0 == CloseCode.notAuthenticated.rawValue })
        daemon.signal(SIGTERM)
        #expect(daemon.end().code == 0)
    }

    @Test func `AU3: a token's end cuts its connections off in time, and no other is touched`()
        throws
    {
        let lasting = try tokens(names("stays", 14))
        let (daemon, _, port) = try Daemon.serving(in: folder)
        let crowd = try crowd(plain(port), lasting)
        let leaving = Set(names("leaves", 6))
        let stays: @Sendable (Member) -> Bool = { !leaving.contains($0.user) }
        let leaves: @Sendable (Member) -> Bool = { leaving.contains($0.user) }
        try crowd.untilWritten(5, by: stays)
        let brief = try tokens(leaving.sorted(), expires: "6s")
        // The server looks at its tokens once a second.
        #expect(try daemon.errorLine { $0.contains("event=tokens valid=20") }.contains("tokens"))
        for user in brief.sorted(by: { $0.key < $1.key }) {
            crowd.add(Self.perUser, of: user.key, user.value)
        }
        try crowd.wait("welcomed") { $0.filter(leaves).allSatisfy { $0.expires != nil } }
        crowd.noteExpiry(of: leaving)
        try crowd.wait("closed") { $0.filter(leaves).allSatisfy { $0.closed != nil } }
        let now = Int64(Date().timeIntervalSince1970 * 1_000)
        let last = crowd.ask { $0.filter(leaves).compactMap(\.expires?.milliseconds).max() }
        #expect((0..<30_000).contains(now - (last ?? 0)))
        #expect(complaints(of: crowd, leaves) == [])
        #expect(crowd.ask { members in members.contains { leaves($0) && $0.answered > 0 } })
        try crowd.untilWritten(5, by: stays)
        #expect(try crowd.settle(those: stays) == [])
        #expect(longestWait(in: crowd, stays) < .seconds(30))
        daemon.signal(SIGTERM)
        #expect(daemon.end().code == 0)
    }

    @Test func `SIGHUP under load: new certificates touch nobody, another key its own alone`()
        throws
    {
        let tokens = try tokens(names("stays", 6))
        let key = "0123456789 0123456789 0123456789"
        try write(key, "signing.key")
        try certify("first")
        let (daemon, _, port) = try Daemon.serving(
            [
                "--tls-cert", "cert.pem", "--tls-key", "key.pem", "--jwt-key", "signing.key",
                "--jwt-alg", "HS256", "--jwt-issuer", "i", "--jwt-audience", "samelist",
            ], in: folder)
        try FileManager.default.copyItem(at: file("cert.pem"), to: file("first.pem"))
        var endpoint = plain(port)
        endpoint.tls = true
        endpoint.caFile = file("first.pem").path
        var everybody = tokens
        for user in names("signed", 4) {
            everybody[user] = try SignedToken.make(
                user, key, expires: 600, lists: #"{"*":"own"}"#, in: folder)
        }
        let crowd = try crowd(endpoint, everybody)
        let stays: @Sendable (Member) -> Bool = { $0.user.hasPrefix("stays") }
        try crowd.untilWritten(5) { _ in true }
        for round in 0..<10 {
            try certify("round-\(round)")
            daemon.signal(SIGHUP)
            _ = try daemon.errorLine { $0.contains("event=reload") }
        }
        try write("no certificate", "cert.pem")
        try write("short", "signing.key")
        daemon.signal(SIGHUP)
        _ = try daemon.errorLine { $0.contains("key-unusable") }
        try crowd.untilWritten(5) { _ in true }
        #expect(crowd.ask { members in members.count { $0.closed != nil } } == 0)
        try write("another key of thirty-two bytes, or more", "signing.key")
        let swapped = ContinuousClock.now
        daemon.signal(SIGHUP)
        try crowd.wait("closed") { $0.allSatisfy { stays($0) || $0.closed != nil } }
        let last = crowd.ask { members in
            members.compactMap { $0.closed == nil ? nil : $0.closedAt }.max()
        }
        #expect((last ?? .now) - swapped < .seconds(30))
        #expect(complaints(of: crowd) { !stays($0) } == [])
        try crowd.untilWritten(5, by: stays)
        #expect(try crowd.settle(those: stays) == [])
        #expect(longestWait(in: crowd, stays) < .seconds(30))
        daemon.signal(SIGTERM)
        #expect(daemon.end().code == 0)
    }

    // What the tests need.

    private func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

    private func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: file(name), options: .atomic)
    }

    private func certify(_ name: String) throws {
        let script = """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \
                -subj "/CN=\(name)" -addext subjectAltName=IP:127.0.0.1 \
                -keyout key.pem -out cert.pem 2>/dev/null
            """
        guard try shell(script, in: folder) else { throw Unexpected("no certificate") }
    }
}
