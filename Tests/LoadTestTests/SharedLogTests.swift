import ListModel
import ListProtocol
import Testing

@testable import LoadTest

@Suite("What clients receive is compared with what the first of them got") struct SharedLogTests {
    private let told: Told

    init() throws { told = try Told(20) }

    /// A log that one client has read whole, frame by frame.
    private func read() -> Readers {
        var readers = Readers(told)
        for version in 1...20 {
            _ = readers.read(told.frame(version, version), after: UInt64(version) - 1)
        }
        return readers
    }

    @Test func `frames that are cut differently come to the same`() throws {
        var readers = read()
        #expect(readers.log.head == 20)
        #expect(readers.log.takeFresh() == told.entries)
        for first in 1...20 {
            for last in first...20 {
                let reading = readers.read(told.frame(first, last), after: UInt64(first) - 1)
                #expect(reading == .good(through: UInt64(last)))
            }
        }
        #expect(readers.log.takeFresh().isEmpty)
        #expect(RowProof.difference(readers.log.state, try told.state(at: 20)) == nil)
    }

    @Test func `a frame may hold what is known and what is new`() {
        var readers = Readers(told)
        #expect(readers.read(told.frame(1, 4), after: 0) == .good(through: 4))
        #expect(readers.read(told.frame(3, 9), after: 2) == .good(through: 9))
        #expect(readers.log.takeFresh().map(\.version.number) == Array(1...9))
    }

    @Test func `what is told again is the log, byte by byte`() {
        #expect(read().log.frame(after: 3, through: 11) == told.frame(4, 11))
    }

    @Test func `a gap is noticed, known or not`() {
        var readers = read()
        #expect(
            readers.read(told.frame(7, 8), after: 4)
                == .flawed(.gap(told.list, after: 4, got: 7), through: 8))
        var empty = Readers(told)
        #expect(
            empty.read(told.frame(3, 3), after: 0)
                == .flawed(.gap(told.list, after: 0, got: 3), through: 3))
    }

    @Test func `an entry that comes twice is noticed`() {
        var readers = read()
        #expect(
            readers.read(told.frame(5, 5), after: 5)
                == .flawed(.doubled(told.list, 5), through: 5))
        #expect(
            readers.read(told.frame(4, 8), after: 5)
                == .flawed(.doubled(told.list, 4), through: 8))
    }

    @Test func `one other byte is noticed`() throws {
        var readers = read()
        var frame = told.frame(6, 6)
        let digit = try #require(frame.lastIndex(of: UInt8(ascii: "6")))
        frame[digit] = UInt8(ascii: "7")
        #expect(
            readers.read(frame, after: 5)
                == .flawed(.diverged(told.list, 6, SharedLog.otherBytes), through: 6))
    }

    @Test func `a frame that leaves one out within is noticed`() {
        var readers = Readers(told)
        let entries = [told.entries[0], told.entries[2]]
        let frame = MessageEncoder.encode(.entries(told.list, entries))
        #expect(
            readers.read(frame, after: 0)
                == .flawed(.diverged(told.list, 1, "a frame is not dense"), through: 3))
    }

    @Test func `an entry that does not fit the list is noticed`() {
        var readers = Readers(told)
        _ = readers.read(told.frame(1, 1), after: 0)
        var second = told.entries[1]
        second.operations = told.entries[0].operations
        let frame = MessageEncoder.encode(.entries(told.list, [second]))
        guard case .flawed(.diverged, 2) = readers.read(frame, after: 1) else {
            Issue.record("an ID was inserted twice")
            return
        }
    }

    @Test func `nonsense and other lists are noticed`() throws {
        var readers = read()
        let other = try Told(1, list: "tools")
        for frame in [Array("{".utf8), Array(told.frame(6, 6).dropLast()), other.frame(1, 1)] {
            #expect(
                readers.read(frame, after: 5)
                    == .flawed(.diverged(told.list, 5, "unreadable entries"), through: 5))
        }
    }

    @Test func `who is ahead by a snapshot is compared once the others are there`() throws {
        var readers = Readers(told)
        #expect(readers.read(told.frame(9, 10), after: 8) == .good(through: 10))
        var other = told.frame(11, 11)
        let digit = try #require(other.lastIndex(of: UInt8(ascii: "1")))
        other[digit] = UInt8(ascii: "2")
        #expect(readers.read(other, after: 10) == .good(through: 11))
        #expect(readers.log.earlyCount == 2 && readers.log.missing > 0)
        #expect(readers.read(told.frame(1, 12), after: 0) == .good(through: 12))
        #expect(readers.log.earlyCount == 0 && readers.log.missing == 0)
        #expect(readers.log.takeFlaws() == [.diverged(told.list, 11, SharedLog.otherBytes)])
    }
}
