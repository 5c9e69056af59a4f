/// What would end the process, or switch the compiler's help off, without a word of why.
extension Check {
    static let reasonedUnchecked = Check(name: "what is unchecked says because") { file in
        file.isSwift
    } find: { file in
        let marks = ["@unchecked Sendable", "nonisolated(unsafe)"]
        return file.source.enumerated().compactMap { at, line in
            guard let mark = marks.first(where: { line.code.contains($0) }) else { return nil }
            let near = file.source[at..<min(at + 3, file.source.count)]
            return near.contains { $0.comment.contains("because") } ? nil : (at, mark)
        }
    }

    static let traps = Check(name: "nothing from outside can trap") { file in
        file.isSwift && file.isProduct
    } find: { file in
        file.source.enumerated().compactMap { at, line in
            ["fatalError(", "try!", "as!"].first { line.code.contains($0) }.map { (at, $0) }
        }
    }

    static let sleeps = Check(name: "nobody waits by time") { file in
        file.isSwift
    } find: { file in
        file.source.enumerated().compactMap { at, line in
            line.code.contains("sleep(") ? (at, "sleeps: wait for what is to happen") : nil
        }
    }
}
