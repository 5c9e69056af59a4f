import ListModel
import Testing

@testable import LoadTest

@Suite("What a writer was told is in the log, once") struct AuthorTests {
    private func author(_ count: Int) -> Author {
        var author = Author()
        for _ in 0..<count { _ = author.add([], intended: .now) }
        return author
    }

    @Test func `an acknowledged edit that the log does not show is forgotten`() {
        var author = author(3)
        for n in 1...3 as ClosedRange<UInt64> { _ = author.answered(n, at: n + 10) }
        let areNew = [author.logged(1, at: 11), author.logged(2, at: 99)]
        #expect(areNew == [true, true])
        // The second stands elsewhere than it was told, the third nowhere.
        #expect(author.forgotten == 2)
    }

    @Test func `an edit in the log twice is noticed`() {
        var author = author(1)
        let areNew = [author.logged(1, at: 5), author.logged(1, at: 6)]
        #expect(areNew == [true, false])
    }

    @Test func `what was not logged, or not answered yet, is not missed`() {
        var author = author(2)
        #expect(author.answered(1, at: nil) != nil)
        #expect(author.answered(1, at: nil) == nil)
        #expect(author.forgotten == 0 && author.unanswered == [2])
    }

    @Test func `heard has no holes`() {
        var author = author(4)
        _ = author.answered(2, at: 1)
        #expect(author.heard == 0)
        _ = author.answered(1, at: 2)
        #expect(author.heard == 2)
        _ = author.answered(4, at: 3)
        #expect(author.heard == 2)
    }

    @Test func `flaws are counted by kind and weight, and the first told in words`() throws {
        let list = try Told(1).list
        var tally = FlawTally()
        #expect(tally.isClean)
        tally.note(.gap(list, after: 4, got: 8))
        tally.note(.lost(list, 12))
        for version in 0..<50 as Range<UInt64> { tally.note(.doubled(list, version)) }
        #expect(tally.gaps == 3 && tally.lost == 12 && tally.doubled == 50 && !tally.isClean)
        #expect(tally.sentences.count == 20)
        #expect(tally.sentences.first == "food: a client that had 4 entries got entry 8")
    }
}
