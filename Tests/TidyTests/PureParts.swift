/// What keeps the pure parts pure: no library but the language's own, nothing that differs
/// between two runs.
extension Check {
    /// What each pure part may import beside the others; the manifest forbids the wrong arrows.
    private static let pureParts: [String: Set<String>] = [
        "ListModel": [],
        "ListProtocol": ["CSimdjson"],
        "ListAuthority": [],
        "ListReplica": [],
    ]

    private static func part(of file: TextFile) -> String? {
        let folders = file.path.split(separator: "/").map(String.init)
        guard file.isSwift, folders.count > 2, folders[0] == "Sources" else { return nil }
        return pureParts[folders[1]] == nil ? nil : folders[1]
    }

    static let pureImports = Check(name: "pure parts import only one another") { file in
        part(of: file) != nil
    } find: { file in
        let allowed = pureParts[part(of: file) ?? "", default: []].union(pureParts.keys)
        return file.source.enumerated().compactMap { at, line in
            guard let module = importedModule(line.code), !allowed.contains(module) else {
                return nil
            }
            return (at, "imports \(module)")
        }
    }

    static let pureArguments = Check(name: "pure parts are given time and randomness") { file in
        part(of: file) != nil
    } find: { file in
        let words = ["Date", "UUID", "ContinuousClock", "SuspendingClock"]
        let random = [".random(", ".randomElement(", ".shuffled(", ".shuffle("]
        return file.source.enumerated().compactMap { at, line in
            let used =
                (words + ["SystemRandomNumberGenerator"]).first { line.code.hasWord($0) }
                ?? random.first { line.code.contains($0) && !line.code.contains("using:") }
            return used.map { (at, "uses \($0)") }
        }
    }

    /// `internal import struct A.B` imports A.
    private static func importedModule(_ code: String) -> String? {
        let words = code.split(whereSeparator: \.isWhitespace)
        guard let at = words.firstIndex(of: "import"),
            words[..<at].allSatisfy({ $0.hasPrefix("@") || accessLevels.contains($0) })
        else { return nil }
        let kinds: Set<Substring> = [
            "struct", "class", "enum", "protocol", "typealias", "func", "let", "var",
        ]
        let name = words[(at + 1)...].first { !kinds.contains($0) }
        return name?.split(separator: ".").first.map(String.init)
    }

    private static let accessLevels: Set<Substring> = [
        "public", "package", "internal", "fileprivate", "private",
    ]
}
