/// Three-way merge of text by words (diff3: Khanna, Kunal and Pierce, "A formal investigation of
/// diff3", 2007): words are kept together with the spaces that follow them as tokens of their own,
/// the base is aligned with each side by a longest common subsequence, and a stretch that only one
/// side changed takes that side's words.
package enum TextMerge {
    /// The merged text; `nil` where both sides changed the same words differently, or where the
    /// texts are too long to be compared word by word. O(n·m) in words.
    package static func merge(base: String, mine: String, theirs: String) -> String? {
        if mine == theirs || theirs == base { return mine }
        if mine == base { return theirs }
        let base = words(base)
        let mine = words(mine)
        let theirs = words(theirs)
        guard base.count * max(mine.count, theirs.count) <= mostCells else { return nil }
        let toMine = alignment(base, mine)
        let toTheirs = alignment(base, theirs)
        var result: [Substring] = []
        var from = (base: 0, mine: 0, theirs: 0)
        for index in 0...base.count {
            let anchor: (mine: Int, theirs: Int)
            if index == base.count {
                anchor = (mine.count, theirs.count)
            } else if let left = toMine[index], let right = toTheirs[index] {
                anchor = (left, right)
            } else {
                continue
            }
            let old = base[from.base..<index]
            let left = mine[from.mine..<anchor.mine]
            let right = theirs[from.theirs..<anchor.theirs]
            guard let stretch = merge(old, left, right) else { return nil }
            result.append(contentsOf: stretch)
            if index < base.count { result.append(base[index]) }
            from = (index + 1, anchor.mine + 1, anchor.theirs + 1)
        }
        return result.joined()
    }

    /// Cells of the comparison: 4 million take tens of milliseconds.
    private static let mostCells = 4_000_000

    private static func merge(
        _ base: ArraySlice<Substring>, _ mine: ArraySlice<Substring>,
        _ theirs: ArraySlice<Substring>
    ) -> ArraySlice<Substring>? {
        if mine.elementsEqual(base) { return theirs }
        if theirs.elementsEqual(base) || mine.elementsEqual(theirs) { return mine }
        return nil
    }

    /// Words and the white space between them, each a token.
    static func words(_ text: String) -> [Substring] {
        var result: [Substring] = []
        var rest = text[...]
        while let first = rest.first {
            let word = rest.prefix { $0.isWhitespace == first.isWhitespace }
            result.append(word)
            rest = rest[word.endIndex...]
        }
        return result
    }

    /// For each token of `base` its partner in `other`, by a longest common subsequence.
    private static func alignment(_ base: [Substring], _ other: [Substring]) -> [Int?] {
        let width = other.count + 1
        var lengths = [Int32](repeating: 0, count: (base.count + 1) * width)
        for row in stride(from: base.count - 1, through: 0, by: -1) {
            for column in stride(from: other.count - 1, through: 0, by: -1) {
                let at = row * width + column
                lengths[at] =
                    base[row] == other[column]
                    ? lengths[at + width + 1] + 1 : max(lengths[at + width], lengths[at + 1])
            }
        }
        var result = [Int?](repeating: nil, count: base.count)
        var row = 0
        var column = 0
        while row < base.count, column < other.count {
            let at = row * width + column
            if base[row] == other[column] {
                result[row] = column
                row += 1
                column += 1
            } else if lengths[at + width] >= lengths[at + 1] {
                row += 1
            } else {
                column += 1
            }
        }
        return result
    }
}
