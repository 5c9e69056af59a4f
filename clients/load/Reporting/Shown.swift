/// Numbers as people read them: three digits that matter.
enum Shown {
    static func number(_ value: Double) -> String {
        let size = abs(value)
        if size >= 100 || value == value.rounded() { return grouped(value.rounded()) }
        return fixed(value, size >= 10 ? 1 : size >= 1 ? 2 : 3)
    }

    /// Of seconds.
    static func time(_ seconds: Double) -> String {
        if seconds >= 1 { return fixed(seconds, seconds >= 100 ? 0 : 2) + " s" }
        if seconds >= 1e-3 { return fixed(seconds * 1e3, seconds >= 0.1 ? 0 : 1) + " ms" }
        let micros = seconds * 1e6
        return fixed(micros, micros >= 100 ? 0 : micros >= 10 ? 1 : 2) + " us"
    }

    static func bytes(_ bytes: Double) -> String {
        if bytes >= 1e9 { return fixed(bytes / 1e9, 2) + " GB" }
        if bytes >= 1e6 { return fixed(bytes / 1e6, bytes >= 1e8 ? 0 : 1) + " MB" }
        if bytes >= 1e3 { return fixed(bytes / 1e3, bytes >= 1e5 ? 0 : 1) + " KB" }
        return fixed(bytes, 0) + " B"
    }

    /// With so many digits behind the point.
    static func fixed(_ value: Double, _ digits: Int) -> String {
        guard value.isFinite else { return "-" }
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        let scaled = (abs(value) * scale).rounded()
        guard scaled < 9e15 else { return "\(value)" }
        let whole = Int64(scaled)
        let sign = value < 0 && whole > 0 ? "-" : ""
        guard digits > 0 else { return "\(sign)\(whole)" }
        let text = String(whole)
        let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
        return "\(sign)\(padded.dropLast(digits)).\(padded.suffix(digits))"
    }

    private static func grouped(_ value: Double) -> String {
        let text = fixed(value, 0)
        var result = ""
        for (index, digit) in text.enumerated() {
            let left = text.count - index
            if index > 0, left % 3 == 0, result != "-" { result.append(",") }
            result.append(digit)
        }
        return result
    }
}
