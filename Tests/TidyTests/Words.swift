import Foundation

extension String {
    var trimmed: String { trimmingCharacters(in: .whitespaces) }

    /// The first place where `word` stands by itself, with what is on both sides of it.
    func word(_ word: String) -> (before: Character?, after: Character?)? {
        var rest = startIndex..<endIndex
        while let found = range(of: word, range: rest) {
            let before =
                found.lowerBound == startIndex ? nil : self[index(before: found.lowerBound)]
            let after = found.upperBound == endIndex ? nil : self[found.upperBound]
            if before?.continuesName != true, after?.continuesName != true {
                return (before, after)
            }
            rest = found.upperBound..<endIndex
        }
        return nil
    }

    func hasWord(_ word: String) -> Bool { self.word(word) != nil }
}

extension Character {
    var continuesName: Bool { isLetter || isNumber || self == "_" }
}
