import PairHarness
import Testing

@testable import ListReplica

@Suite("Texts are merged by words") struct TextMergeTests {
    private static let table: [(base: String, mine: String, theirs: String, merged: String?)] = [
        ("a b c", "a x b c", "a b c y", "a x b c y"),
        ("a b c", "a b", "a b c d", nil),
        ("a b c", "x b c", "a b y", "x b y"),
        ("a b c", "a x c", "a y c", nil),
        ("a b c", "a x c", "a x c", "a x c"),
        ("a b c", "", "a b c", ""),
        ("", "x", "y", nil),
        ("", "x", "", "x"),
        ("a", "a", "b", "b"),
        ("one two", "one  two", "one two three", "one  two three"),
        ("a b", "a\nb", "a b", "a\nb"),
        (
            "buy milk and bread", "buy milk and rye bread", "buy oat milk and bread",
            "buy oat milk and rye bread"
        ),
        ("👩‍👩‍👧 läuft", "👩‍👩‍👧 rennt", "die 👩‍👩‍👧 läuft", "die 👩‍👩‍👧 rennt"),
    ]

    @Test(arguments: table)
    func `the table`(_ row: (base: String, mine: String, theirs: String, merged: String?)) {
        let merged = TextMerge.merge(base: row.base, mine: row.mine, theirs: row.theirs)
        #expect(merged == row.merged)
        // Who is who makes no difference to whether and to what.
        #expect(TextMerge.merge(base: row.base, mine: row.theirs, theirs: row.mine) == row.merged)
    }

    @Test func `one side alone wins, whatever it did`() {
        var random = Randomness(seed: 3)
        for _ in 0..<2_000 {
            let base = text(&random)
            let other = text(&random)
            #expect(TextMerge.merge(base: base, mine: other, theirs: base) == other)
            #expect(TextMerge.merge(base: base, mine: base, theirs: other) == other)
            #expect(TextMerge.merge(base: base, mine: other, theirs: other) == other)
        }
    }

    private func text(_ random: inout Randomness) -> String {
        let words = ["a", "b", "c", "", "\n"]
        return (0..<Int.random(in: 0..<8, using: &random)).map { _ in random.pick(words) }
            .joined(separator: " ")
    }

    @Test func `edits of different words always merge to both`() {
        var random = Randomness(seed: 4)
        for _ in 0..<2_000 {
            let base = (0..<12).map { "w\($0)" }
            var (mine, theirs, both) = (base, base, base)
            for index in base.indices where index % 2 == 0 {
                switch Int.random(in: 0..<3, using: &random) {
                case 0: (mine[index], both[index]) = ("m\(index)", "m\(index)")
                case 1: (theirs[index], both[index]) = ("t\(index)", "t\(index)")
                default: break
                }
            }
            let merged = TextMerge.merge(
                base: base.joined(separator: " "), mine: mine.joined(separator: " "),
                theirs: theirs.joined(separator: " "))
            #expect(merged == both.joined(separator: " "))
        }
    }

    @Test func `texts too long to compare are a conflict, not a pause`() {
        let long = (0..<3_000).map { "w\($0)" }.joined(separator: " ")
        #expect(TextMerge.merge(base: long, mine: long + " m", theirs: "t " + long) == nil)
    }
}
