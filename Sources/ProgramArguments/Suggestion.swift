/// The known word that is nearest to what was typed, where one is near enough to be meant.
package func suggestion(for word: String, among known: [String]) -> String? {
    let near = known.lazy.filter { $0 != word }
        .map { ($0, distance(Array(word.utf8), Array($0.utf8))) }
        .min { $0.1 < $1.1 }
    guard let near, near.1 <= max(1, min(3, near.0.utf8.count / 3)) else { return nil }
    return near.0
}

/// How many bytes must be put in, left out or changed (Levenshtein). Cost: product of both lengths.
private func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    guard left.count <= 64 else { return left.count }
    var row = Array(0...right.count)
    for (at, byte) in left.enumerated() {
        var diagonal = row[0]
        row[0] = at + 1
        for (column, other) in right.enumerated() {
            let changed = diagonal + (byte == other ? 0 : 1)
            diagonal = row[column + 1]
            row[column + 1] = min(changed, row[column + 1] + 1, row[column] + 1)
        }
    }
    return row[right.count]
}
