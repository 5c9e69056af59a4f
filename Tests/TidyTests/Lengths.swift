extension Check {
    static let lineLength = Check(name: "lines have up to 100 columns") { file in
        file.isSwift
    } find: { file in
        file.lines.enumerated().compactMap { at, line in
            line.count > 100 ? (at, "\(line.count) columns") : nil
        }
    }

    static let fileLength = Check(name: "files have up to 300 lines") { file in
        file.isProduct
    } find: { file in
        let count = file.lines.count - (file.lines.last == "" ? 1 : 0)
        return count > 300 ? [(0, "\(count) lines: cut it by what happens in it")] : []
    }

    /// Counted between the braces.
    static let functionLength = Check(name: "functions have up to 40 lines") { file in
        file.isSwift && file.isProduct
    } find: { file in
        let code = file.source.map(\.code)
        return code.indices.compactMap { at in
            guard declaresFunction(code[at]), let body = body(in: code, from: at),
                body.upperBound - body.lowerBound > 41
            else { return nil }
            return (at, "a body of \(body.upperBound - body.lowerBound - 1) lines")
        }
    }

    private static func declaresFunction(_ code: String) -> Bool {
        ["func", "init", "deinit", "subscript"].contains { word in
            guard let found = code.word(word) else { return false }
            return found.before != "." && (word != "init" || "(<?!".contains(found.after ?? " "))
        }
    }

    /// The lines of the opening and the closing brace; nil for a requirement without a body.
    private static func body(in code: [String], from start: Int) -> ClosedRange<Int>? {
        var brackets = 0
        var braces = 0
        var opened = start
        for at in start..<code.count {
            if braces == 0, at > start, brackets == 0, !continuesSignature(code[at]) { return nil }
            for character in code[at] {
                switch character {
                case "(", "[": brackets += 1
                case ")", "]": brackets -= 1
                case "{" where brackets == 0 || braces > 0:
                    if braces == 0 {
                        opened = at
                        brackets = 0
                    }
                    braces += 1
                case "}" where braces > 0:
                    braces -= 1
                    if braces == 0 { return opened...at }
                default: break
                }
            }
        }
        return nil
    }

    private static func continuesSignature(_ code: String) -> Bool {
        let text = code.trimmed
        return ["{", "->", "async", "throws", "rethrows", "where", ")"].contains {
            text.hasPrefix($0)
        }
    }
}
