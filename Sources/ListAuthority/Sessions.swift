package import ListModel
internal import ListProtocol

/// What a list remembers of its clients, so that every mutation takes effect exactly once: per
/// client the highest `n` logged, and the answers to those logged whose outcome it has not
/// confirmed hearing. An `n` below the highest without an answer is a hole: it was never applied. A
/// fold of the log.
package struct Sessions: Sendable {
    fileprivate var byClient: [ClientID: Session] = [:]
    /// Of the last entry, whoever's it was.
    package private(set) var lastAt = Timestamp.zero
    /// Clients whose last entry is older than this were forgotten; zero: nobody ever was.
    package private(set) var horizon = Timestamp.zero

    fileprivate struct Session: Sendable {
        var heard = MutationNumber.zero
        var highest = MutationNumber.zero
        /// The first one logged since the client is remembered.
        var since = MutationNumber.zero
        var answers: [MutationNumber: Logged] = [:]
        var lastAt = Timestamp.zero
        /// The name under which it wrote last; `nil`: not remembered.
        var by: UserName?
    }

    package struct Logged: Hashable, Sendable {
        package let version: Version
        package let digest: UInt64
        package let skips: [Skip]
    }

    package enum Standing: Equatable {
        /// Never logged: resolve it.
        case new
        case logged(Logged)
        /// The client has confirmed hearing its outcome, so only a mistake asks again.
        case heard
        /// It may have been logged, and the list no longer knows.
        case forgotten
    }

    package init() {}

    package var count: Int { byClient.count }
    var clients: [ClientID] { byClient.keys.sorted { $0.text < $1.text } }

    /// - Parameter again: it may have been submitted before.
    package func standing(
        of n: MutationNumber, by client: ClientID, again: Bool = false
    ) -> Standing {
        let isDoubtful = again && horizon > .zero
        guard let session = byClient[client] else { return isDoubtful ? .forgotten : .new }
        if n <= session.heard { return .heard }
        if let logged = session.answers[n] { return .logged(logged) }
        if Faults.has(.holesCountAsHeard), n < session.highest { return .heard }
        return isDoubtful && n < session.since ? .forgotten : .new
    }

    /// The logged mutations of a client above `heard`, in order.
    package func logged(of client: ClientID, after heard: MutationNumber) -> [MutationNumber] {
        (byClient[client]?.answers.keys.filter { $0 > heard } ?? []).sorted()
    }

    /// Up to where a client has confirmed hearing outcomes.
    func heard(of client: ClientID) -> MutationNumber { byClient[client]?.heard ?? .zero }

    /// The newest mutation of a client that was logged, whether or not it was heard.
    func highest(of client: ClientID) -> MutationNumber { byClient[client]?.highest ?? .zero }
    /// The first mutation of a client that was logged since it is remembered.
    func since(of client: ClientID) -> MutationNumber { byClient[client]?.since ?? .zero }
    /// The name under which a client wrote last.
    func name(of client: ClientID) -> UserName? { byClient[client]?.by }
    /// The time of its last entry.
    func lastAt(of client: ClientID) -> Timestamp? { byClient[client]?.lastAt }

    package func isLogged(_ n: MutationNumber, by client: ClientID) -> Bool {
        guard let session = byClient[client] else { return false }
        return session.answers[n] != nil
    }

    /// Answers that wait to be confirmed.
    package func unheard(of client: ClientID) -> Int { byClient[client]?.answers.count ?? 0 }

    package mutating func record(_ entry: Entry) {
        lastAt = max(lastAt, entry.at)
        guard entry.n > .zero else { return }
        // In place: a copy would cost all unheard answers, for each entry.
        byClient[entry.client, default: Session()].record(entry)
    }

    /// Nothing that is recorded from now on is older.
    mutating func passed(_ at: Timestamp) { lastAt = max(lastAt, at) }

    /// Forgets clients that logged nothing since `oldest`: they are told when they submit again
    /// what they may have submitted before.
    package mutating func forget(before oldest: Timestamp) {
        let count = byClient.count
        byClient = byClient.filter { $0.value.lastAt >= oldest }
        if byClient.count < count { horizon = max(horizon, oldest) }
    }
}

extension Sessions.Session {
    fileprivate mutating func record(_ entry: Entry) {
        if highest == .zero { since = entry.n }
        highest = max(highest, entry.n)
        answers[entry.n] = Sessions.Logged(
            version: entry.version, digest: entry.digest, skips: entry.skips)
        lastAt = entry.at
        by = entry.by
        hear(entry.heard)
    }

    /// Cost: the numbers newly heard, or all answers where these are fewer.
    private mutating func hear(_ n: MutationNumber) {
        guard n > heard else { return }
        if n.number - heard.number <= UInt64(answers.count) {
            for number in (heard.number + 1)...n.number { answers[MutationNumber(number)] = nil }
        } else {
            answers = answers.filter { $0.key > n }
        }
        heard = n
    }
}

/// As a JSON value, for stored snapshots.
extension Sessions {
    package var value: Value {
        .array([.int(lastAt.milliseconds), remembered, .int(horizon.milliseconds)])
    }

    private var remembered: Value {
        .array(
            byClient.map { client, session in
                .array([
                    .text(client.text), .int(Int64(bitPattern: session.heard.number)),
                    .int(Int64(bitPattern: session.highest.number)),
                    .int(session.lastAt.milliseconds),
                    .array(session.answers.map { $0.value.value(of: $0.key) }),
                    .int(Int64(bitPattern: session.since.number)),
                    session.by.map { .text($0.text) } ?? .null,
                ])
            })
    }

    /// `nil` where the value is not what `value` writes, or wrote before clients were forgotten.
    package init?(_ value: Value) {
        guard case .array(let whole) = value, whole.count >= 2, case .int(let lastAt) = whole[0],
            case .array(let clients) = whole[1]
        else { return nil }
        self.lastAt = Timestamp(milliseconds: lastAt)
        if whole.count > 2, case .int(let horizon) = whole[2] {
            self.horizon = Timestamp(milliseconds: horizon)
        }
        for client in clients {
            guard case .array(let parts) = client, parts.count >= 5, let name = parts[0].text,
                let id = ClientID(name), case .int(let heard) = parts[1],
                case .int(let highest) = parts[2], case .int(let lastAt) = parts[3],
                case .array(let answers) = parts[4]
            else { return nil }
            var session = Session()
            session.heard = MutationNumber(UInt64(bitPattern: heard))
            session.highest = MutationNumber(UInt64(bitPattern: highest))
            session.lastAt = Timestamp(milliseconds: lastAt)
            if parts.count > 5, case .int(let since) = parts[5] {
                session.since = MutationNumber(UInt64(bitPattern: since))
            }
            if parts.count > 6 { session.by = parts[6].text.flatMap(UserName.init) }
            for answer in answers {
                guard let (n, logged) = Logged.read(answer) else { return nil }
                session.answers[n] = logged
            }
            byClient[id] = session
        }
    }
}

extension Sessions.Logged {
    fileprivate func value(of n: MutationNumber) -> Value {
        let skips = skips.map { skip in
            Value.array([
                .int(Int64(skip.operation)), skip.id.map { .text($0.text) } ?? .null,
                .text(skip.code.rawValue), skip.by.map { .text($0.text) } ?? .null,
            ])
        }
        return .array([
            .int(Int64(bitPattern: n.number)), .int(Int64(bitPattern: version.number)),
            .int(Int64(bitPattern: digest)), .array(skips),
        ])
    }

    fileprivate static func read(_ value: Value) -> (MutationNumber, Self)? {
        guard case .array(let parts) = value, parts.count == 4, case .int(let n) = parts[0],
            case .int(let version) = parts[1], case .int(let digest) = parts[2],
            case .array(let values) = parts[3]
        else { return nil }
        var skips: [Skip] = []
        for value in values {
            guard case .array(let skip) = value, skip.count == 4, case .int(let index) = skip[0],
                let word = skip[2].text, let code = Code(rawValue: word)
            else { return nil }
            skips.append(
                Skip(
                    operation: Int(truncatingIfNeeded: index),
                    id: skip[1].text.flatMap(ElementID.init),
                    code: code, by: skip[3].text.flatMap(UserName.init)))
        }
        let logged = Sessions.Logged(
            version: Version(UInt64(bitPattern: version)), digest: UInt64(bitPattern: digest),
            skips: skips)
        return (MutationNumber(UInt64(bitPattern: n)), logged)
    }
}
