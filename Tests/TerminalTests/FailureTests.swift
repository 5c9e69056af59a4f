import ListModel
import Testing

@testable import Terminal

@Suite("How the program ends") struct FailureTests {
    static let codes: [(Code, ExitCode)] = [
        (.noSuchElement, .refused), (.removed, .refused), (.beingEdited, .refused),
        (.idTaken, .refused), (.noSuchList, .refused), (.tooLarge, .refused),
        (.storageFailed, .refused), (.unreachable, .unreachable), (.draining, .unreachable),
        (.notAllowed, .notAllowed), (.readOnly, .notAllowed), (.accessLost, .notAllowed),
        (.listDeleted, .vanished), (.changedSince, .vanished),
    ]

    @Test(arguments: codes) func `a refusal has its exit code`(code: Code, exit: ExitCode) {
        #expect(Failure(Refusal(code, "no")).exit == exit)
    }

    @Test func `the numbers are those that scripts know`() {
        #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 130])
    }

    @Test func `an element goes by the beginning of its ID`() throws {
        let words = ElementWords(state("k7", "k71", "m2", "-gone", "-m3"), of: list("food"))
        #expect(try words.id("k7") == id("k7"))
        #expect(try words.id("k71") == id("k71"))
        #expect(try words.id("m") == id("m2"))
        #expect(try words.id("m3") == id("m3"))
        #expect(try words.id("g") == id("gone"))
        #expect(try words.ids(["m", "m2", "k7"]) == [id("m2"), id("k7")])
    }

    @Test func `a beginning that several share is no name`() {
        let words = ElementWords(state("k1", "k2", "x"), of: list("food"))
        let failure = #expect(throws: Failure.self) { try words.id("k") }
        #expect(failure?.word == "ambiguous")
        #expect(failure?.exit == .refused)
        #expect(failure?.sentence.contains("k1 k2") == true)
        #expect(throws: Failure.self) { try words.id("nobody") }
        #expect(throws: Failure.self) { try words.id("") }
    }

    @Test func `restore means the deleted ones first`() throws {
        let words = ElementWords(state("k1", "-k2"), of: list("food"), graves: true)
        #expect(try words.id("k") == id("k2"))
    }
}
