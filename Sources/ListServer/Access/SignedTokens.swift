internal import CLibjwt
internal import Glibc
internal import ListAuthority
internal import ListModel
internal import ListProtocol

/// Where tokens of an identity provider (JWT, RFC 7519) are checked: with one key, by one
/// algorithm, and for one issuer and audience.
package struct SigningOptions: Hashable, Sendable {
    package enum Algorithm: String, Hashable, Sendable, CaseIterable {
        case hs256 = "HS256"
        case rs256 = "RS256"
        case es256 = "ES256"
    }

    package let algorithm: Algorithm
    /// The secret of HS256, at least 32 bytes, or the public key in PEM.
    package let keyFile: String
    package let issuer: String
    package let audience: String

    package init(algorithm: Algorithm, keyFile: String, issuer: String, audience: String) {
        self.algorithm = algorithm
        self.keyFile = keyFile
        self.issuer = issuer
        self.audience = audience
    }
}

/// Checks signed tokens. What a token says of its own algorithm is only ever compared.
struct SignedTokens {
    private let options: SigningOptions
    private let key: [UInt8]
    private let decoder: MessageDecoder
    let fingerprint: [UInt8]

    /// Throws where the key cannot be read, or can be no key of that algorithm.
    init(_ options: SigningOptions, limits: Limits) throws(ServerError) {
        self.options = options
        decoder = MessageDecoder(limits: limits)
        var key = try Self.contents(of: options.keyFile)
        let isPEM = String(decoding: key, as: UTF8.self).contains("-----BEGIN PUBLIC KEY-----")
        switch options.algorithm {
        case .hs256:
            while key.last == 0x0A || key.last == 0x0D { key.removeLast() }
            guard key.count >= 32, !isPEM else {
                throw .access("\(options.keyFile) holds no secret of HS256: at least 32 bytes")
            }
        case .rs256, .es256:
            guard isPEM else {
                throw .access("\(options.keyFile) holds no public key in PEM")
            }
        }
        self.key = key
        fingerprint = TokenSecret.fingerprint(of: key + Array(options.algorithm.rawValue.utf8))
    }

    private static func contents(of path: String) throws(ServerError) -> [UInt8] {
        guard let file = fopen(path, "re") else {
            // A word that is no path may be the secret itself.
            let file = path.contains("/") || path.contains(".") ? path : "the file of the key"
            throw .access("\(file) cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = fread(&bytes, 1, bytes.count, file)
        guard count > 0, count < bytes.count else { throw .access("\(path) holds no key") }
        return Array(bytes.prefix(count))
    }

    /// `nil` where anything about it is not as it must be.
    func admission(of token: String, at now: Timestamp) -> Admission? {
        // The algorithm first: whoever knows a public key could else sign with it as a secret.
        guard let unproven = Parsed(token, key: nil),
            unproven.claimedAlgorithm == options.algorithm.rawValue,
            let proven = Parsed(token, key: key), proven.algorithm == options.algorithm.name,
            let json = proven.claims, case .object(let claims)? = try? decoder.decodeValue(json),
            let claimed = Claims(claims), claimed.holds(for: options, at: now)
        else { return nil }
        return Admission(
            proof: .key(fingerprint), tenant: claimed.tenant,
            access: Access(
                name: claimed.name, grants: claimed.grants, expires: claimed.expires))
    }
}

extension SigningOptions.Algorithm {
    fileprivate var name: jwt_alg_t {
        switch self {
        case .hs256: JWT_ALG_HS256
        case .rs256: JWT_ALG_RS256
        case .es256: JWT_ALG_ES256
        }
    }
}

/// A token that libjwt has read, and proven where there was a key.
private final class Parsed {
    private let handle: OpaquePointer

    init?(_ token: String, key: [UInt8]?) {
        var handle: OpaquePointer?
        let result =
            if let key { jwt_decode(&handle, token, key, Int32(key.count)) } else {
                jwt_decode(&handle, token, nil, 0)
            }
        guard result == 0, let handle else {
            if let handle { jwt_free(handle) }
            return nil
        }
        self.handle = handle
    }

    deinit { jwt_free(handle) }

    /// By which it was proven; libjwt forgets it where there was no key.
    var algorithm: jwt_alg_t { jwt_get_alg(handle) }

    /// What the token itself says.
    var claimedAlgorithm: String? { jwt_get_header(handle, "alg").map { String(cString: $0) } }

    /// All claims as JSON.
    var claims: [UInt8]? {
        guard let text = jwt_get_grants_json(handle, nil) else { return nil }
        defer { free(text) }
        return Array(String(cString: text).utf8)
    }
}

/// What a signed token claims: `sub` is the name, `samelist` the tenant and the lists.
private struct Claims {
    let name: UserName
    let tenant: Tenant
    let grants: [Grant]
    let expires: Timestamp
    private let notBefore: Timestamp?
    private let issuer: String?
    private let audiences: [String]

    init?(_ claims: [String: Value]) {
        guard let name = claims["sub"]?.text.flatMap(UserName.init),
            let expires = Self.time(claims["exp"]),
            case .object(let own)? = claims["samelist"], case .object(let lists)? = own["lists"]
        else { return nil }
        var grants: [Grant] = []
        for (pattern, right) in lists {
            guard let pattern = ListPattern(pattern), let right = right.text.flatMap(Right.init)
            else { return nil }
            grants.append(Grant(pattern, right))
        }
        switch own["tenant"] {
        case nil: tenant = .unnamed
        case .text(let text)?:
            guard let named = Tenant(text) else { return nil }
            tenant = named
        default: return nil
        }
        if let claim = claims["nbf"] {
            guard let time = Self.time(claim) else { return nil }
            notBefore = time
        } else {
            notBefore = nil
        }
        self.name = name
        self.grants = grants.sorted { $0.pattern.text < $1.pattern.text }
        self.expires = expires
        issuer = claims["iss"]?.text
        switch claims["aud"] {
        case .text(let audience)?: audiences = [audience]
        case .array(let values)?: audiences = values.compactMap(\.text)
        default: audiences = []
        }
    }

    func holds(for options: SigningOptions, at now: Timestamp) -> Bool {
        now < expires && notBefore.map { $0 <= now } ?? true && issuer == options.issuer
            && audiences.contains(options.audience)
    }

    /// Seconds since 1970, perhaps with a fraction.
    private static func time(_ value: Value?) -> Timestamp? {
        switch value {
        case .int(let seconds)? where (0...253_402_300_800).contains(seconds):
            Timestamp(milliseconds: seconds * 1_000)
        case .double(let seconds)? where (0...253_402_300_800).contains(seconds):
            Timestamp(milliseconds: Int64(seconds * 1_000))
        default: nil
        }
    }
}
