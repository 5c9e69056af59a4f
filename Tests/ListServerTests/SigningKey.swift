import CLibjwt
import Foundation

/// Makes signed tokens, good ones and others.
struct SigningKey {
    let algorithm: jwt_alg_t
    let secret: [UInt8]

    static var shared: SigningKey {
        SigningKey(
            algorithm: JWT_ALG_HS256,
            secret: Array("a secret of more than thirty-two bytes".utf8))
    }

    /// A token with these claims, as JSON.
    func token(_ claims: String) -> String {
        var handle: OpaquePointer?
        guard jwt_new(&handle) == 0, let handle else { return "" }
        defer { jwt_free(handle) }
        jwt_add_grants_json(handle, claims)
        if algorithm != JWT_ALG_NONE {
            jwt_set_alg(handle, algorithm, secret, Int32(secret.count))
        }
        guard let text = jwt_encode_str(handle) else { return "" }
        defer { free(text) }
        return String(cString: text)
    }

    /// Claims that hold, but for what is replaced (`nil`: left out).
    static func claims(_ changes: [String: String?] = [:]) -> String {
        var members: [String: String] = [
            "sub": #""jo""#, "exp": "\(Int(Date().timeIntervalSince1970) + 600)",
            "iss": #""https://id.example.org""#, "aud": #""samelist""#,
            "samelist": #"{"lists":{"food":"read"}}"#,
        ]
        for (name, value) in changes { members[name] = value }
        return "{" + members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }
}
