/// The clipboard of whoever sits at the terminal: OSC 52, which reaches through ssh and tmux where
/// the terminal lets it.
enum Clipboard {
    static func sequence(_ text: String) -> String { "\u{1B}]52;c;\(base64(text))\u{7}" }

    /// RFC 4648, section 4.
    static func base64(_ text: String) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var result = ""
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let group = rest.prefix(3)
            rest = rest.dropFirst(3)
            var bits = group.reduce(0) { $0 << 8 | Int($1) }
            bits <<= 8 * (3 - group.count)
            for place in 0..<4 {
                let digit = digits[bits >> (18 - 6 * place) & 63]
                result.append(place <= group.count ? digit : "=")
            }
        }
        return result
    }
}
