package import ListAuthority
package import ListModel
package import Storage

/// A token, as people look after it.
package struct TokenRecord: Sendable {
    package enum State: String, Sendable {
        case valid, expired, revoked
    }

    package let id: String
    package let name: UserName
    package let tenant: Tenant
    package let grants: [Grant]
    package let created: Timestamp
    /// `nil`: never.
    package let expires: Timestamp?
    package let revoked: Timestamp?

    package func state(at now: Timestamp) -> State {
        if revoked != nil { return .revoked }
        return expires.map { $0 <= now } == true ? .expired : .valid
    }

    /// `nil` for what a later program wrote, which must not be taken for more than it is.
    init?(_ stored: StoredToken) {
        let tenant = stored.tenant.isEmpty ? Tenant.unnamed : Tenant(stored.tenant)
        guard let name = UserName(stored.name), let tenant,
            let grants = [Grant](parsing: stored.grants)
        else { return nil }
        id = stored.id
        self.name = name
        self.tenant = tenant
        self.grants = grants
        created = Timestamp(milliseconds: stored.created)
        expires = stored.expires == 0 ? nil : Timestamp(milliseconds: stored.expires)
        revoked = stored.revoked == 0 ? nil : Timestamp(milliseconds: stored.revoked)
    }
}

/// The tokens of a data folder: made, listed and revoked while a server may be running there,
/// which notices within two seconds.
package struct TokenStore {
    private let folder: String

    package init(folder: String) { self.folder = folder }

    /// Makes a token and answers it: nobody will ever see it again.
    package func create(
        for name: UserName, tenant: Tenant, _ grants: [Grant], expires: Timestamp?
    ) throws(StorageError) -> (id: String, text: String) {
        let secret = TokenSecret(for: name)
        try SQLiteTokenStorage.add(
            StoredToken(
                id: secret.id, hash: TokenSecret.hash(of: secret.text), name: name.text,
                tenant: tenant.text, grants: grants.text, created: WallClock.now.milliseconds,
                expires: expires?.milliseconds ?? 0), folder: folder)
        return (secret.id, secret.text)
    }

    /// All that ever were, oldest first; `nil`: none ever was, and the server is open.
    package func all() throws(StorageError) -> [TokenRecord]? {
        try SQLiteTokenStorage.read(folder: folder)?.compactMap { TokenRecord($0) }
    }

    /// Revokes the token of an ID, or all of a name, for good; answers their IDs.
    package func revoke(
        _ word: String, isName: Bool
    ) throws(StorageError) -> [String] {
        try SQLiteTokenStorage.revoke(
            folder: folder, at: WallClock.now.milliseconds,
            where: { (isName ? $0.name : $0.id) == word }
        ).map(\.id)
    }

    package static var now: Timestamp { WallClock.now }
}

extension [Grant] {
    package var text: String {
        map { "\($0.pattern.text):\($0.right.rawValue)" }.joined(separator: ",")
    }

    /// What `text` wrote; `nil` for anything else.
    package init?(parsing text: String) {
        self = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: ":", omittingEmptySubsequences: false)
            guard words.count == 2, let pattern = ListPattern(String(words[0])),
                let right = Right(rawValue: String(words[1]))
            else { return nil }
            append(Grant(pattern, right))
        }
    }
}
