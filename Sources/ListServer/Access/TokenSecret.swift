internal import CLibsodium
internal import ListModel

/// A fresh token: what is shown once, and what is kept of it.
///
/// `sl1.NAME.SECRET`, both in the URL's letters of base 64: its name lets a client know itself
/// before it has met a server, and is believed by none.
struct TokenSecret {
    let id: String
    let text: String

    /// Its secret has 256 random bits, so that a fast hash keeps it as well as a slow one.
    init(for name: UserName) {
        text = "sl1.\(Self.base64(Array(name.text.utf8))).\(Self.base64(Self.random(32)))"
        id = Self.random(5).map { String(Self.letters[Int($0) % Self.letters.count]) }.joined()
    }

    private static let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")

    /// What is kept of a token, and found again by it.
    static func hash(of token: String) -> [UInt8] {
        start()
        var hash = [UInt8](repeating: 0, count: 32)
        let bytes = Array(token.utf8)
        crypto_generichash(&hash, hash.count, bytes, UInt64(bytes.count), nil, 0)
        return hash
    }

    /// Words that tell one key from another, and nothing of it.
    static func fingerprint(of key: [UInt8]) -> [UInt8] {
        start()
        var hash = [UInt8](repeating: 0, count: 32)
        crypto_generichash(&hash, hash.count, key, UInt64(key.count), nil, 0)
        return hash
    }

    private static func random(_ count: Int) -> [UInt8] {
        start()
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, count)
        return bytes
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let variant = sodium_base64_VARIANT_URLSAFE_NO_PADDING
        var text = [CChar](
            repeating: 0, count: sodium_base64_encoded_len(bytes.count, variant))
        sodium_bin2base64(&text, text.count, bytes, bytes.count, variant)
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    }

    /// Repeating it does nothing.
    private static func start() {
        let result = sodium_init()
        precondition(result >= 0, "libsodium did not start")
    }
}
