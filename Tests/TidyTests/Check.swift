import Testing

/// A place that breaks a rule of the house.
struct Violation: Equatable, CustomStringConvertible {
    let path: String
    let line: Int
    let what: String

    var description: String { "\(path):\(line): \(what)" }
}

/// One rule, over one file at a time.
struct Check: Sendable, CustomTestStringConvertible {
    let name: String
    let applies: @Sendable (TextFile) -> Bool
    /// What is wrong with each line (from 0) that is wrong.
    let find: @Sendable (TextFile) -> [(line: Int, what: String)]

    var testDescription: String { name }

    func violations(in file: TextFile) -> [Violation] {
        guard applies(file) else { return [] }
        return find(file).map { Violation(path: file.path, line: $0.line + 1, what: $0.what) }
    }

    static let all: [Check] =
        [lineLength, fileLength, functionLength, pureImports, pureArguments, reasonedUnchecked]
        + [traps, sleeps, leftovers, commentedOutCode, machinePaths, packageHosts, fileNames]
}

/// A rule that makes one place worse does not hold there; the reason stands here.
struct ReasonedException: Sendable {
    let check: String
    let path: String
    let because: String

    static let all = [
        ReasonedException(
            check: "no package host is named", path: "packaging/debian/copyright",
            because: "its first line names the format by that address, as Debian's policy has it")
    ]
}
