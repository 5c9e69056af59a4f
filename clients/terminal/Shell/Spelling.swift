/// "Did you mean": the nearest known word, by edits of single characters (Levenshtein, 1966), within two.
enum Spelling {
    static func nearest(to word: String, among known: [String]) -> String? {
        let ranked = known.map { (distance(word, $0), $0) }.filter { $0.0 <= 2 }
        return ranked.min { $0 < $1 }?.1
    }

    private static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right)
        var row = Array(0...right.count)
        for (index, character) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let above = row[column + 1]
                row[column + 1] = min(
                    above + 1, row[column] + 1, diagonal + (character == right[column] ? 0 : 1))
                diagonal = above
            }
        }
        return row[right.count]
    }
}
