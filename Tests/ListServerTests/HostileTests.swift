import ListModel
import ListProtocol
import Testing

@testable import ListServer

/// A message that no honest client sends, and the word of the answer.
struct Hostile: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    let code: Code

    init(_ name: String, _ text: String, _ code: Code) {
        self.name = name
        self.text = text
        self.code = code
    }

    var testDescription: String { name }

    static let all: [Hostile] = [
        Hostile("nothing", "", .malformed),
        Hostile("half an object", #"{"t":"ping""#, .malformed),
        Hostile("two objects", #"{"t":"ping","r":1}{"t":"ping","r":2}"#, .malformed),
        Hostile("an array", "[]", .malformed),
        Hostile("null", "null", .malformed),
        Hostile("depth 10,000", String(repeating: "[", count: 10_000), .malformed),
        Hostile("an unknown message", #"{"t":"shutdown"}"#, .unknownMessage),
        Hostile("no kind", #"{"r":1}"#, .malformed),
        Hostile("a kind that is no text", #"{"t":7,"r":1}"#, .malformed),
        Hostile("2^64", #"{"t":"ping","r":18446744073709551616}"#, .malformed),
        Hostile("NaN", #"{"t":"ping","r":NaN}"#, .malformed),
        Hostile("a lone surrogate", #"{"t":"close","list":"\ud800"}"#, .malformed),
        Hostile("a bad name", #"{"t":"who","r":1,"list":"../todo"}"#, .badName),
        Hostile("the name of a hidden log", #"{"t":"who","r":1,"list":"~deletions"}"#, .badName),
        Hostile("a list that is not there", #"{"t":"who","r":1,"list":"none"}"#, .noSuchList),
        Hostile("a second hello", #"{"t":"hello","v":1,"client":"x","name":"x"}"#, .helloFirst),
        Hostile(
            "too many fates",
            #"{"t":"fates","r":1,"list":"todo","ids":["#
                + [String](repeating: #""a""#, count: 1_001).joined(separator: ",") + "]}",
            .tooMany),
    ]
}

@Suite("A hostile client", .timeLimit(.minutes(1))) struct HostileTests {
    let bench: Bench
    let server: Server

    init() throws {
        bench = try Bench()
        server = try bench.server()
    }

    /// A client with the list open, at whose expense it would be.
    private func bystander() async throws -> TestClient {
        let ana = try await bench.client("ana", of: server)
        _ = try await ana.open(create: true)
        _ = try await ana.submit(1, [try insert("a")])
        return ana
    }

    private func expectUndisturbed(_ ana: TestClient) async throws {
        #expect(try await ana.submit(2, [try insert("b")]) == .logged(Version(2), skips: []))
        #expect(try await bench.client("bo", of: server).open().ids() == ["a", "b"])
    }

    @Test(arguments: Hostile.all)
    func `is told what is wrong, and nothing else happens`(message: Hostile) async throws {
        let ana = try await bystander()
        let mallory = try await bench.client("mallory", of: server)
        mallory.send(raw: [Array(message.text.utf8)])
        guard case .error(_, _, let refusal) = try await mallory.next() else {
            throw Unexpected("no error")
        }
        #expect(refusal.code == message.code, "\(refusal.sentence)")
        mallory.send(.ping(7, nil))
        #expect(try await mallory.next() == .pong(7, nil, nil))
        try await expectUndisturbed(ana)
    }

    @Test func `hears the outcome of a mutation that cannot be read`() async throws {
        let ana = try await bystander()
        let mallory = try await bench.client("mallory", of: server)
        let text = #"{"t":"submit","list":"todo","n":1,"heard":0,"ops":[{"op":"explode"}]}"#
        mallory.send(raw: [Array(text.utf8)])
        guard case .outcome(todo, MutationNumber(1), let answer) = try await mallory.next(),
            case .refused(let refusal) = answer.outcome
        else { throw Unexpected("no outcome") }
        #expect(refusal.code == .malformed)
        try await expectUndisturbed(ana)
    }

    @Test(arguments: [
        (#"{"t":"lists","r":1}"#, CloseCode.helloExpected.rawValue),
        (#"{"t":"hello","v":2,"client":"m","name":"m"}"#, CloseCode.unsupportedVersion.rawValue),
        (String(repeating: " ", count: (1 << 20) + 1), CloseCode.messageTooBig.rawValue),
    ])
    func `that does not begin as agreed is sent away`(text: String, code: UInt16) async throws {
        let ana = try await bystander()
        let mallory = TestClient(bench.loop, port: server.port)
        #expect(try await mallory.event() == .opened)
        mallory.send(raw: [Array(text.utf8)])
        guard case .peer(code, _) = try await mallory.end().reason else {
            throw Unexpected("not closed with \(code)")
        }
        try await expectUndisturbed(ana)
    }

    @Test func `that is no text is sent away`() async throws {
        let ana = try await bystander()
        let mallory = try await bench.client("mallory", of: server)
        mallory.send(raw: [[0x22, 0xC0, 0xAF, 0x22]])
        guard case .peer(CloseCode.badText.rawValue, _) = try await mallory.end().reason else {
            throw Unexpected("not closed with 1007")
        }
        try await expectUndisturbed(ana)
    }
}
