import Foundation
import ListModel
import ListReplica
import Testing

@testable import Samelist

/// The one error of the library.
@Suite("An error of the library")
struct ListErrorTests {
    private let id = ElementID.new()

    @Test func `each code has its own advice, and is found by its word`() {
        for code in ListError.Code.allCases {
            #expect(code.advice != "try again", "\(code.rawValue)")
            #expect(ListError.Code(rawValue: code.rawValue) == code)
        }
        #expect(ListError.Code(rawValue: "no_such_code") == nil)
    }

    @Test func `every sentence says what to do, whoever says what happened`() {
        var errors = ListModel.Code.allCases.flatMap { code in
            [
                ListError(Refusal(code, "the server says no")),
                ListError(Skip(operation: 0, id: id, code: code, by: UserName("bob"))),
            ]
        }
        let faults: [EditorFault] = [
            .vanished(Vanish(.deleted)), .vanished(Vanish(.listDeleted)), .noSuchElement,
            .alreadyOpen, .notOpen, .readOnly, .conflict([.title]), .notVanished, .committing,
        ]
        errors += faults.map { ListError($0, of: id) }
        for error in errors {
            #expect(error.sentence.contains("; "), "\(error.sentence)")
            #expect(error.sentence.first?.isUppercase == false && error.sentence.last != ".")
        }
        let said = ListError(Refusal(.removed, "it was removed; restore it"))
        #expect(said.sentence == "it was removed; restore it", "what is said is not said twice")
    }

    @Test func `it is caught by its code, whether its type is known or not`() {
        let error = ListError(.removed, "it was removed; restore it", id: id)
        func typed() throws(ListError) { throw error }
        func untyped() throws { throw error }
        var caught: [String] = []
        do { try typed() } catch .removed { caught.append("typed") } catch {}
        do {
            try untyped()
        } catch ListError.Code.vanished {
            caught.append("another")
        } catch ListError.Code.removed {
            caught.append("untyped")
        } catch {}
        do { try untyped() } catch { caught.append("\(error)") }
        #expect(caught == ["typed", "untyped", "it was removed; restore it"])
        #expect((error as any Error).localizedDescription == error.sentence)
        #expect((error as any LocalizedError).recoverySuggestion == "restore it, or insert it anew")
    }
}
