internal import ListAuthority
internal import ListModel
internal import Storage

/// Who is let in: the tokens of the data folder, and those that an identity provider has signed.
///
/// As long as no token was ever made and nobody signs any, it stands open. It never opens again:
/// whoever revokes the last token does not mean to let everybody in.
struct Gate {
    private var tokens: [[UInt8]: TokenRecord] = [:]
    private var byID: [String: TokenRecord] = [:]
    private(set) var signed: SignedTokens?
    private(set) var isOpen = true
    private let limits: Limits

    init(limits: Limits) { self.limits = limits }

    /// `nil`: there are none, nor were there ever.
    mutating func take(_ stored: [StoredToken]?) {
        guard let stored else { return }
        isOpen = false
        tokens = [:]
        byID = [:]
        for token in stored {
            guard let record = TokenRecord(token) else { continue }
            tokens[token.hash] = record
            byID[record.id] = record
        }
    }

    mutating func take(_ signed: SignedTokens) {
        isOpen = false
        self.signed = signed
    }

    /// How many tokens hold now.
    func count(at now: Timestamp) -> Int {
        tokens.values.count { $0.state(at: now) == .valid }
    }

    /// `nil`: it is none, or none that holds.
    func admission(of token: String, at now: Timestamp) -> Admission? {
        guard !token.isEmpty, token.utf8.count <= limits.tokenBytes,
            token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        if let record = tokens[TokenSecret.hash(of: token)] {
            return admission(of: record, at: now)
        }
        return signed?.admission(of: token, at: now)
    }

    /// What an admission has come to by now; `nil`: nothing, it ended.
    func renewed(_ admission: Admission, at now: Timestamp) -> Admission? {
        switch admission.proof {
        case .token(let id): byID[id].flatMap { self.admission(of: $0, at: now) }
        case .key(let fingerprint): fingerprint == signed?.fingerprint ? admission : nil
        }
    }

    private func admission(of record: TokenRecord, at now: Timestamp) -> Admission? {
        guard record.state(at: now) == .valid else { return nil }
        return Admission(
            proof: .token(record.id), tenant: record.tenant,
            access: Access(name: record.name, grants: record.grants, expires: record.expires))
    }
}
