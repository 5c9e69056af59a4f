import Foundation

/// Tokens as an identity provider signs them, by HS256.
enum SignedToken {
    /// - Parameters:
    ///   - expires: in how many seconds.
    ///   - lists: what it gives, as JSON.
    static func make(
        _ user: String, _ key: String, expires: Int, lists: String, in folder: URL
    ) throws -> String {
        let exp = Int(Date().timeIntervalSince1970) + expires
        let claims = """
            {"sub":"\(user)","iss":"i","aud":"samelist","exp":\(exp),"samelist":{"lists":\(lists)}}
            """
        let parts = [#"{"alg":"HS256","typ":"JWT"}"#, claims].map { base64(Data($0.utf8)) }
        let text = parts.joined(separator: ".")
        try Data(text.utf8).write(to: folder.appendingPathComponent("unsigned"))
        let script = "openssl dgst -sha256 -hmac '\(key)' -binary unsigned > signature"
        guard try shell(script, in: folder) else { throw Unexpected("no signature") }
        let signature = try Data(contentsOf: folder.appendingPathComponent("signature"))
        return text + "." + base64(signature)
    }

    private static func base64(_ data: Data) -> String {
        data.base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }
}
