internal import Glibc
internal import ListModel

/// Where a client has its token from. A file is read anew for each connection, and before the token
/// in use expires, so that another one can be put there meanwhile.
package struct TokenSource: Sendable {
    private let kind: Kind

    private enum Kind: Sendable {
        case file(String)
        case text(String)
    }

    package static func file(_ path: String) -> TokenSource { TokenSource(kind: .file(path)) }
    /// The token itself, as standard input brought it.
    package static func text(_ token: String) -> TokenSource { TokenSource(kind: .text(token)) }

    /// The token, without the ends of its line. Throws where the file is not there, is another
    /// user's to read, or holds none.
    package func read() throws(ListError) -> String {
        switch kind {
        case .text(let token): return try Self.checked(token, "standard input")
        case .file(let path): return try Self.checked(try Self.contents(of: path), path)
        }
    }

    /// The name in the token, where it is one that can be read: it begins with `sl1.`. Only the
    /// server knows whether it holds.
    package var name: UserName? {
        guard let token = try? read() else { return nil }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "sl1", let bytes = Self.base64(parts[1]) else {
            return nil
        }
        return UserName(String(decoding: bytes, as: UTF8.self))
    }

    /// Bytes of a token file, beyond which it is none.
    private static let most = 16 << 10

    private static func contents(of path: String) throws(ListError) -> String {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let error = errno
            // It would be shown to whoever reads the error.
            guard !path.hasPrefix("sl1.") else {
                throw fault("a token was given where the name of its file is needed")
            }
            throw fault(
                "the token file \(path) cannot be read: \(String(cString: strerror(error)))")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw fault("the token file \(path) is no file")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw fault(
                "the token file \(path) can be read by others; make it yours alone: chmod 600")
        }
        var bytes = [UInt8](repeating: 0, count: most)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0, count < most else { throw fault("the token file \(path) holds no token") }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    private static func checked(_ text: String, _ place: String) throws(ListError) -> String {
        let lines = text.split(whereSeparator: \.isNewline)
        guard lines.count == 1, let token = lines.first,
            token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw fault("\(place) holds no token: one line of letters, digits, dots, - and _") }
        return String(token)
    }

    private static func fault(_ sentence: String) -> ListError {
        ListError(.notAuthenticated, sentence)
    }

    /// The URL's letters of base 64, without padding.
    private static func base64(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: (value: UInt32, count: Int) = (0, 0)
        for byte in text.utf8 {
            let digit: UInt8
            switch byte {
            case 0x41...0x5A: digit = byte - 0x41
            case 0x61...0x7A: digit = byte - 0x61 + 26
            case 0x30...0x39: digit = byte - 0x30 + 52
            case 0x2D: digit = 62
            case 0x5F: digit = 63
            default: return nil
            }
            bits = ((bits.value << 6 | UInt32(digit)) & 0xFFFF, bits.count + 6)
            guard bits.count >= 8 else { continue }
            bits.count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits.value >> UInt32(bits.count)))
        }
        return bytes
    }
}
