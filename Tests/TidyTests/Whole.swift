import Foundation

/// Rules that take more than one file to see.
enum Whole {
    /// Targets of a manifest, in the forms that ours uses.
    static func modules(manifest: String) -> [String] {
        let forms =
            #"(?:part|tests|bridge)\(\s*"(\w+)"|\.(?:target|executableTarget|testTarget)"#
            + #"\(\s*name:\s*"(\w+)""#
        return matches(forms, manifest)
    }

    static func types(in file: TextFile) -> [String] {
        let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
        return file.source.compactMap { line in
            let words = line.code.split(whereSeparator: { !$0.continuesName })
            guard let at = words.firstIndex(where: kinds.contains), at + 1 < words.count,
                !["func", "var", "let", "subscript"].contains(words[at + 1])
            else { return nil }
            return String(words[at + 1])
        }
    }

    /// No module has the name of a type, and none differs from another in case alone.
    static func nameClashes(modules: [String], types: [String]) -> [String] {
        let same = Set(modules).intersection(types).map { "\($0) is a module and a type" }
        let folded = Dictionary(grouping: Set(modules)) { $0.lowercased() }
        let alike = folded.values.filter { $0.count > 1 }.map {
            "\($0.sorted().joined(separator: " and ")) differ in case alone"
        }
        return (same + alike).sorted()
    }

    static func unmentioned(folders: Set<String>, in text: String) -> [String] {
        folders.filter { !text.hasWord($0) }.sorted()
    }

    /// `make RULE` in inline code, or at the start of a line of a code block.
    static func rulesNamed(in markdown: String) -> [String] {
        matches(#"(?:`|^\s*(?:\$ )?)make ([a-z][a-z-]*)"#, markdown)
    }

    static func rules(of makefile: String) -> [String] {
        matches(#"^([a-z][a-z-]*):(?!=)"#, makefile)
    }

    /// What the groups of a pattern matched; `^` stands for the start of a line.
    private static func matches(_ pattern: String, _ text: String) -> [String] {
        guard
            let expression = try? NSRegularExpression(
                pattern: pattern, options: .anchorsMatchLines)
        else { return [] }
        let whole = NSRange(text.startIndex..., in: text)
        return expression.matches(in: text, range: whole).flatMap { match in
            (1..<match.numberOfRanges).compactMap {
                Range(match.range(at: $0), in: text).map { String(text[$0]) }
            }
        }
    }
}
