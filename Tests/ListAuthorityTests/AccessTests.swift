import ListAuthority
import ListModel
import ListProtocol
import Testing

struct AccessTests {
    private let stage = Stage()

    init() { stage.tell(.accessDemanded) }

    /// A connection that was admitted with rights, `list:right` each.
    private func admit(
        _ name: String, _ grants: String..., client: String? = nil, expires: Int64? = nil
    ) throws -> Peer {
        let peer = try stage.connect(client ?? name, hello: false)
        let access = try Self.access(name, grants, expires: expires.map { stage.now.adding($0) })
        stage.tell(.admitted(ConnectionID(peer.number), access))
        stage.say(.hello(.init(client: peer.client, name: try id("liar"))), peer)
        return peer
    }

    private static func access(
        _ name: String, _ grants: [String], expires: Timestamp?
    ) throws -> Access {
        let grants = try grants.map { text in
            let parts = text.split(separator: ":").map(String.init)
            return Grant(
                try #require(ListPattern(parts[0])), try #require(Right(rawValue: parts[1])))
        }
        return Access(name: try id(name), grants: grants, expires: expires)
    }

    private func open(_ list: String = "food", create: Bool = false) throws -> ClientMessage {
        .open(.init(list: try id(list), create: create, presence: true))
    }

    private func insert(_ n: UInt64, _ element: String, _ list: String = "food") throws
        -> ClientMessage
    {
        .submit(
            .init(
                list: try id(list), n: MutationNumber(n), heard: .zero,
                operations: [Operation(.insert(try id(element), at: .last, Fields()))]))
    }

    /// The list `food` with one row, by its owner.
    private func owner() throws -> Peer {
        let ana = try admit("ana", "*:own")
        stage.say(try open(create: true), ana)
        stage.say(try insert(1, "milk"), ana)
        return ana
    }

    @Test func `a connection that showed no token is told the same as with a wrong one`() throws {
        let peer = try stage.connect("eve", hello: false)
        stage.say(.hello(.init(client: peer.client, name: try id("eve"))), peer)
        #expect(peer.refusals == [.notAuthenticated])
        #expect(peer.goodbye?.code == CloseCode.notAuthenticated.rawValue)
        let other = try stage.connect("eve", hello: false)
        stage.tell(.accessEnded(ConnectionID(other.number)))
        #expect(other.refusals == peer.refusals && other.goodbye == peer.goodbye)
    }

    @Test func `the name is that of the token, whatever hello says`() throws {
        let ana = try owner()
        guard case .welcome(let welcome) = ana.messages.first else {
            Issue.record("no welcome")
            return
        }
        #expect(welcome.name.text == "ana")
        #expect(ana.replicas[try id("food")]?.state.elements.first?.by.text == "ana")
    }

    @Test func `every right allows what it names and nothing beyond`() throws {
        _ = try owner()
        let name: ListName = try id("food")
        let one: RequestID = 1
        let asked: [(ClientMessage, Right)] = [
            (.who(one, name), .read), (.history(one, name, of: nil, before: nil, limit: 9), .read),
            (.fates(one, name, [try id("milk")]), .read), (.ping(one, name), .read),
            (.presence(name, editing: [try id("milk")]), .write), (try insert(1, "tea"), .write),
            (.create(one, name, title: nil, schema: nil), .own), (.remove(one, name), .own),
        ]
        for (message, needed) in asked {
            for right in ["none"] + Right.allCases.map(\.rawValue) {
                let grant = right == "none" ? "other:own" : "food:\(right)"
                let peer = try admit("bob", grant, client: "bob-\(right)-\(asked.count)")
                stage.say(try open(), peer)
                _ = peer.takeMessages()
                stage.say(message, peer)
                let denied: Set<Code> = [.notAllowed, .readOnly]
                let refused = peer.refusals.contains { denied.contains($0) } || isRefused(peer)
                let allowed = Right(rawValue: right).map { $0 >= needed } ?? false
                #expect(refused != allowed, "\(right): \(message)")
                stage.cut(peer)
            }
        }
    }

    private func isRefused(_ peer: Peer) -> Bool {
        if case .refused(let refusal)? = peer.outcome(of: 1) {
            return [.notAllowed, .readOnly].contains(refusal.code)
        }
        return false
    }

    @Test func `a list one has no right to is not told from one that is not there`() throws {
        _ = try owner()
        let bob = try admit("bob", "tools:own")
        var answers: [[ServerMessage]] = []
        for list in ["food", "fool"] {
            _ = bob.takeMessages()
            let name: ListName = try id(list)
            for message: ClientMessage in [
                try open(list), try open(list, create: true), .who(1, name), .remove(2, name),
                .history(3, name, of: nil, before: nil, limit: 9), .fates(4, name, []),
                .ping(5, name), .create(6, name, title: nil, schema: nil), try insert(1, "a", list),
            ] { stage.say(message, bob) }
            answers.append(bob.takeMessages())
        }
        let texts = answers.map { String(describing: $0) }
        #expect(answers[0].count == 9)
        #expect(texts[0].replacing("food", with: "fool") == texts[1])
        stage.say(.lists(7), bob)
        #expect(bob.messages == [.lists(7, [])])
    }

    @Test func `describing a list needs the right to own it, also amid other operations`() throws {
        let ana = try owner()
        let bob = try admit("bob", "food:write")
        let name: ListName = try id("food")
        stage.say(
            .submit(
                .init(
                    list: name, n: MutationNumber(1), heard: .zero,
                    operations: [
                        Operation(.insert(try id("tea"), at: .last, Fields())),
                        Operation(.describe(title: "Mine", schema: nil)),
                    ])), bob)
        #expect(isRefused(bob))
        #expect(ana.replicas[name]?.state.count == 1 && ana.replicas[name]?.state.title == "")
    }

    @Test func `AU3: what expires ends at once, with a word for every list, and nothing after it`()
        throws
    {
        let ana = try owner()
        let bob = try admit("bob", "*:write", expires: 5_000)
        stage.say(try open(), bob)
        #expect(stage.authority.nextTick(after: stage.now) ?? .zero <= stage.now.adding(5_000))
        stage.pass(4_999)
        #expect(bob.goodbye == nil)
        _ = bob.takeMessages()
        stage.pass(1)
        let food: ListName = try id("food")
        #expect(bob.messages.first == .gone(food, .init(code: .accessLost, by: nil, at: stage.now)))
        #expect(bob.goodbye?.code == CloseCode.notAuthenticated.rawValue)
        let count = bob.messages.count
        stage.say(try insert(2, "tea"), ana)
        stage.say(try insert(1, "jam"), bob)
        #expect(bob.messages.count == count)
        #expect(ana.replicas[food]?.state.count == 2)
    }

    @Test func `a message that comes after the time, but before the timer, is not heeded`() throws {
        let ana = try owner()
        let bob = try admit("bob", "*:write", expires: 5_000)
        stage.now = stage.now.adding(5_000)
        stage.say(try insert(1, "jam"), bob)
        #expect(bob.goodbye?.code == CloseCode.notAuthenticated.rawValue)
        #expect(ana.replicas[try id("food")]?.state.count == 1)
    }

    @Test func `a new token may hold longer, and takes away the lists it does not name`() throws {
        let ana = try owner()
        stage.say(try open("tools", create: true), ana)
        let bob = try admit("bob", "*:write", expires: 5_000)
        stage.say(try open(), bob)
        stage.say(try open("tools"), bob)
        let until = stage.now.adding(60_000)
        let access = try Self.access("bob", ["tools:read"], expires: until)
        _ = bob.takeMessages()
        stage.tell(.accessRenewed(ConnectionID(bob.number), 9, access))
        let food: ListName = try id("food")
        #expect(
            bob.takeMessages() == [
                .gone(food, .init(code: .accessLost, by: nil, at: stage.now)),
                .renewed(9, expires: until),
            ])
        stage.say(try insert(2, "tea"), ana)
        stage.pass(10_000)
        #expect(bob.goodbye == nil && !String(describing: bob.messages).contains("tea"))
        stage.pass(50_000)
        #expect(bob.goodbye != nil)
    }

    @Test func `a token of another name renews nothing`() throws {
        let bob = try admit("bob", "*:write", expires: 5_000)
        let other = try Self.access("eve", ["*:own"], expires: nil)
        _ = bob.takeMessages()
        stage.tell(.accessRenewed(ConnectionID(bob.number), 9, other))
        #expect(bob.messages == [])
        stage.pass(5_000)
        #expect(bob.goodbye != nil)
    }

    @Test func `what waits for a list that is loaded is judged by the access of that moment`()
        throws
    {
        stage.holdsStorage = true
        let bob = try admit("bob", "*:own", expires: 5_000)
        stage.say(try open(create: true), bob)
        stage.say(try insert(1, "jam"), bob)
        stage.pass(5_000)
        let ana = try admit("ana", "*:own")
        stage.performAll()
        stage.say(try open(), ana)
        #expect(ana.replicas[try id("food")]?.state.count == 0)
    }

    @Test func `another's client ID neither takes its place nor speaks for it`() throws {
        let ana = try owner()
        let eve = try admit("eve", "*:own", client: "ana")
        #expect(ana.goodbye == nil && eve.goodbye == nil)
        stage.say(try open(), eve)
        stage.say(try insert(1, "milk"), eve)
        stage.say(try insert(2, "jam"), eve)
        #expect(eve.refusals == [.notAllowed] && isRefused(eve))
        #expect(eve.replicas.isEmpty)
        stage.say(try insert(2, "tea"), ana)
        #expect(ana.outcome(of: 2) == .logged(Version(2), skips: []))
        let again = stage.restarted()
        again.tell(.accessDemanded)
        let late = try again.connect("ana", hello: false)
        again.tell(
            .admitted(ConnectionID(late.number), try Self.access("eve", ["*:own"], expires: nil)))
        again.say(.hello(.init(client: late.client, name: try id("ana"))), late)
        again.say(try insert(3, "egg"), late)
        guard case .refused(let refusal)? = late.outcome(of: 3) else {
            Issue.record("eve speaks as ana")
            return
        }
        #expect(refusal.code == .notAllowed)
    }

    @Test func `before the log has anything of a client, the first to write has its ID`() throws {
        let ana = try owner()
        stage.holdsStorage = true
        let bob = try admit("bob", "*:own", client: "shared")
        let eve = try admit("eve", "*:own", client: "shared")
        stage.say(try insert(1, "tea"), bob)
        stage.say(try insert(1, "jam"), eve)
        stage.performAll()
        #expect(bob.outcome(of: 1) == .logged(Version(2), skips: []) && isRefused(eve))
        #expect(ana.replicas[try id("food")]?.state.count == 2)
    }

    @Test func `who was served before access was demanded goes`() throws {
        let stage = Stage()
        let bob = try stage.join("bob")
        stage.tell(.accessDemanded)
        #expect(bob.messages.contains { if case .gone = $0 { true } else { false } })
        #expect(bob.goodbye?.code == CloseCode.notAuthenticated.rawValue)
    }

    @Test(arguments: [
        ("team-*", "team-a", true), ("team-*", "team-", true), ("team-*", "teams", false),
        ("*", "x", true), ("*-a", "b-a", true), ("*-a", "b-ab", false), ("a*b*c", "axxbyyc", true),
        ("a*b*c", "axxcyyb", false), ("food", "food", true), ("food", "foods", false),
        ("**", "q", true), ("a*a", "a", false), ("*.*", "a.b", true),
    ])
    func `a star stands for any letters`(pattern: String, list: String, fits: Bool) throws {
        #expect(try #require(ListPattern(pattern)).matches(try id(list)) == fits)
    }

    @Test(arguments: ["", "A", "a/b", "a b", "é", String(repeating: "a", count: 65)])
    func `a pattern has the letters of list names`(text: String) {
        #expect(ListPattern(text) == nil)
    }
}

extension Timestamp {
    fileprivate func adding(_ milliseconds: Int64) -> Timestamp {
        Timestamp(milliseconds: self.milliseconds + milliseconds)
    }
}
