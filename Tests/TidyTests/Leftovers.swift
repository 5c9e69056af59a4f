import Foundation

/// What belongs to the moment of writing, or to the machine of the writer.
extension Check {
    static let leftovers = Check(name: "nothing is left for later") { _ in
        true
    } find: { file in
        // In two halves, so as not to find themselves.
        let marks = ["TO" + "DO", "FIX" + "ME", "XX" + "X"]
        return file.lines.enumerated().compactMap { at, line in
            marks.first { line.hasWord($0) }.map { (at, $0) }
        }
    }

    /// A line comment that reads as a statement; documentation may show code.
    static let commentedOutCode = Check(name: "no code is commented out") { file in
        file.isSwift
    } find: { file in
        file.source.enumerated().compactMap { at, line in
            guard line.code.trimmed.isEmpty, !line.comment.hasPrefix("/"),
                isStatement(line.comment.trimmed)
            else { return nil }
            return (at, line.comment.trimmed)
        }
    }

    private static func isStatement(_ text: String) -> Bool {
        let words = text.split(separator: " ")
        guard let first = words.first, !text.hasSuffix(".") else { return false }
        switch first {
        case "}": return true
        case "let", "var": return words.count > 3 && text.contains(" = ")
        case "import": return words.count == 2
        case "func", "init": return text.contains("(") && text.contains(")")
        case "if", "guard", "for", "while", "switch", "do", "struct", "enum", "extension":
            return text.hasSuffix("{")
        case "return": return words.count == 2 && text.hasSuffix(")")
        default: return text.hasSuffix(";")
        }
    }

    static let machinePaths = Check(name: "no path of one machine is written down") { _ in
        true
    } find: { file in
        var paths = ["work", "root"].map { "/\($0)/" }
        if file.isProduct { paths.append("/" + "tmp/") }
        if !file.path.hasPrefix("tools/") { paths.append("/opt" + "/swift") }
        return file.lines.enumerated().compactMap { at, line in
            paths.first { line.namesFolder($0) }.map { (at, $0) }
        }
    }

    /// Where packages come from is the machine's affair: a dotted name with a label of this trade.
    static let packageHosts = Check(name: "no package host is named") { _ in
        true
    } find: { file in
        file.lines.enumerated().compactMap { at, line in
            guard line.contains(".") else { return nil }
            return line.dottedNames.first(where: isPackageHost).map { (at, $0) }
        }
    }

    private static func isPackageHost(_ name: String) -> Bool {
        let labels = name.lowercased().split(whereSeparator: { ".-".contains($0) })
        let trade: Set<Substring> = [
            "deb", "debian", "apt", "pypi", "pythonhosted", "registry", "mirror", "mirrors", "pkg",
            "artifactory", "npmjs",
        ]
        let ends: Set<Substring> = ["org", "com", "net", "io", "dev", "cloud"]
        return ends.contains(labels.last ?? "") && !trade.isDisjoint(with: labels)
    }

    static let fileNames = Check(name: "files are named for what is in them") { file in
        file.isSwift
    } find: { file in
        let vague = ["Manager", "Helper", "Helpers", "Utils", "Util", "Handler", "Info", "Data"]
        return vague.filter { file.name.hasSuffix($0 + ".swift") }.map { (0, "is a \($0)") }
    }
}

extension String {
    /// At the start of a path, not further down in one.
    fileprivate func namesFolder(_ folder: String) -> Bool {
        guard let found = range(of: folder) else { return false }
        guard found.lowerBound > startIndex else { return true }
        let before = self[index(before: found.lowerBound)]
        return !(before.continuesName || ".$})".contains(before))
    }

    fileprivate var dottedNames: [String] {
        split(whereSeparator: { !($0.continuesName || ".-".contains($0)) })
            .map { String($0).trimmingCharacters(in: ["."]) }
            .filter { $0.contains(".") }
    }
}
