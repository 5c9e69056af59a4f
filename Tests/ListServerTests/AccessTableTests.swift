import Foundation
import ListModel
import ListProtocol
import Testing

@testable import ListServer

@Suite("Access control", .timeLimit(.minutes(5))) struct AccessTableTests {
    private let ground: AccessGround

    init() throws { ground = try AccessGround() }

    /// Ana, with what only she may see.
    private func owner() async throws -> TestClient {
        let ana = try await ground.client("ana")
        let food = name("food")
        _ = try await ana.open(food, create: true)
        for (n, row) in ["milk", "gone"].enumerated() {
            let fields = Fields([.title: .text(AccessGround.secret), cups: .int(1)])
            let operation = ListModel.Operation(.insert(try id(row), at: .last, fields))
            _ = try await ana.submit(UInt64(n + 1), [operation], to: food)
        }
        let deletion = ListModel.Operation(.delete(try id("gone"), unlessEdited: false))
        _ = try await ana.submit(3, [deletion], to: food)
        _ = try await ana.open(name("hidden"), create: true)
        return ana
    }

    private let cups = FieldName("cups") ?? .title

    @Test func `none of these attempts gets through, and none learns anything`() async throws {
        let ana = try await owner()
        let attempts = Attempt.all(ground.tokens)
        print("ACCESS \(attempts.count) attempts")
        #expect(attempts.count >= 80)
        #expect(Set(attempts.map(\.name)).count == attempts.count)
        for attempt in attempts {
            let result = try Self.make(attempt, ground.server.port)
            Self.judge(attempt, result, ground.tokens)
        }
        // Everything is as it was, and Ana was not disturbed.
        let opened = try await ana.open(name("food"))
        let list = try opened.list()
        #expect(list.head == Version(3) && list.elements.map(\.id.text) == ["milk"])
        #expect(list.title == "" && list.elements[0].fields[.title] == .text(AccessGround.secret))
        let client = try await ground.client("ana", id: "ana-2")
        client.send(.lists(1))
        let names = try await client.first { message in
            if case .lists(_, let lists) = message { return lists.map(\.name.text) }
            return nil
        }
        #expect(names == ["food", "hidden"])
    }

    @Test func `each token gets what it was given`() async throws {
        let ana = try await owner()
        let rita = try await ground.client("rita")
        let opened = try await rita.open(name("food"))
        #expect(try opened.ids() == ["milk"])
        let will = try await ground.client("will", id: "w")
        let operation = ListModel.Operation(.set(try id("milk"), titled("Oat milk")))
        #expect(
            try await will.submit(1, [operation], to: name("food"))
                == .logged(Version(4), skips: []))
        let entry = try await ana.entries(through: 4).last
        #expect(entry?.by.text == "will")
        // Whatever name a message says, it is the token's that counts.
        let liar = try RawClient(port: ground.server.port)
        for message in [
            #"{"t":"hello","v":1,"client":"w2","name":"ana","token":"\#(ground.token("will"))"}"#,
            #"{"t":"submit","list":"food","n":1,"by":"ana","name":"ana","ops":["#
                + #"{"set":"milk","f":{"cups":2},"by":"ana","name":"ana"}]}"#,
        ] { liar.send(message) }
        #expect(try await ana.entries(through: 5).last?.by.text == "will")
        let otto = try await ground.client("otto")
        _ = try await otto.open(name("tools"), create: true)
        otto.send(.lists(1))
        let names = try await otto.first { message in
            if case .lists(_, let lists) = message { return lists.map(\.name.text) }
            return nil
        }
        #expect(names == ["tools"])
        let page = try RawClient(
            port: ground.server.port,
            headers: [
                "Origin: \(AccessGround.origin)", "Authorization: bearer \(ground.token("rita"))",
            ])
        #expect(page.status == 101)
        page.send(#"{"t":"hello","v":1,"client":"page","name":"x"}"#)
        guard case .text(let welcome)? = page.next() else { throw Unexpected("no welcome") }
        #expect(welcome.contains(#""name":"rita""#))
    }

    @Test func `AU5: tenants with equal names of lists never meet`() async throws {
        let ana = try await owner()
        let tina = try await ground.client("tina")
        let food = name("food")
        _ = try await tina.open(food, create: true)
        #expect(
            try await tina.submit(1, [try insert("tea")], to: food)
                == .logged(Version(1), skips: []))
        #expect(try await tina.open(food).ids() == ["tea"])
        #expect(try await ana.open(food).ids() == ["milk"])
        tina.send(.who(5, food))
        let here = try await tina.first { message in
            if case .who(5, _, let here) = message { return here.map(\.name.text) }
            return nil
        }
        #expect(here == ["tina"])
        tina.send(.remove(6, food))
        _ = try await tina.first { if case .done(6, _) = $0 { true } else { nil } }
        #expect(try await ana.open(food).ids() == ["milk"])
        ground.server.stop()
        let again = try ground.bench.server(withTokensIn: ground.folder)
        let client = try await ground.bench.client("ana", token: ground.token("ana"), of: again)
        #expect(try await client.open(food).ids() == ["milk"])
        again.stop()
        let check = try FolderCheck(folder: ground.folder.path)
        #expect(check.flaws.isEmpty && check.lists == 2)
    }
}

extension AccessTableTests {
    struct Result {
        var status = 0
        var head = ""
        var texts: [String] = []
        var code: UInt16?
        /// Whether the last probe was answered, and the connection stayed.
        var isThrough = false
    }

    /// The last word, to know that all before it was answered.
    private static let fence = #"{"t":"ping","r":4242}"#

    private static func make(_ attempt: Attempt, _ port: UInt16) throws -> Result {
        let earlier = try attempt.before.map { earlier in
            try RawClient(port: port, headers: ["Authorization: Bearer \(earlier.token)"])
        }
        defer { withExtendedLifetime(earlier) {} }
        earlier?.send(#"{"t":"hello","v":1,"client":"ana-1","name":"ana"}"#)
        if let earlier, case .text(let welcome)? = earlier.next() {
            #expect(welcome.contains(#""t":"welcome""#))
        }
        let client = try RawClient(
            port: port, path: attempt.path, headers: attempt.headers,
            subprotocol: attempt.subprotocol)
        var result = Result(status: client.status, head: client.head)
        guard client.status == 101 else { return result }
        for message in attempt.early { client.send(message) }
        if let hello = attempt.hello {
            let token = hello.token.map { ",\"token\":\"\($0)\"" } ?? ""
            client.send(
                #"{"t":"hello","v":1,"client":"\#(hello.client)","name":"\#(hello.name)"\#(token)}"#
            )
        }
        for message in attempt.probes { client.send(message) }
        client.send(fence)
        loop: while let frame = client.next() {
            switch frame {
            case .text(let text) where text.contains("4242"):
                result.isThrough = true
                break loop
            case .text(let text): result.texts.append(text)
            case .close(let code):
                result.code = code
                break loop
            case .other: break
            }
        }
        return result
    }

    private static func judge(_ attempt: Attempt, _ result: Result, _ tokens: [String: String]) {
        let all = result.head + result.texts.joined(separator: "\n")
        for secret in [AccessGround.secret] + tokens.values {
            #expect(!all.contains(secret), "\(attempt.name) learnt \(secret)")
        }
        let isWelcome = result.texts.contains { $0.contains(#""t":"welcome""#) }
        switch attempt.expected {
        case .status(let status):
            #expect(result.status == status, "\(attempt.name): \(result.status)")
        case .closed(let code):
            #expect(result.code == code, "\(attempt.name): \(result)")
            #expect(!isWelcome && !result.isThrough, "\(attempt.name)")
            let words = result.texts.filter {
                !$0.contains(#""t":"error""#) && !$0.contains("goodbye")
            }
            #expect(words.isEmpty, "\(attempt.name): \(words)")
            #expect(Set(result.texts).count == result.texts.count, "\(attempt.name)")
        case .refused:
            #expect(isWelcome && result.isThrough, "\(attempt.name): \(result)")
            let answers = result.texts.filter { !$0.contains(#""t":"welcome""#) }
            #expect(answers.count >= attempt.probes.count, "\(attempt.name): \(answers)")
            for answer in answers {
                let code = answer.firstMatch(of: /"code":"([a-z_]+)"/).map { String($0.1) }
                let isRefusal = code.map(Attempt.refusals.contains) ?? false
                #expect(isRefusal, "\(attempt.name): \(answer)")
            }
        }
    }
}
