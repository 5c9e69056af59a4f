import ListModel
import ListReplica
import Testing

@testable import Terminal

@Suite("The shell's language") struct ShellParserTests {
    static let a = id("a")
    static let commands: [(String, ShellCommand)] = [
        ("open food --create", .open(list("food"), create: true)),
        ("open --create food", .open(list("food"), create: true)),
        ("add title=Milk cups=2", .add(["title": "Milk", "cups": 2], id: nil, .last)),
        ("add --id a --before b", .add([:], id: a, .before(id("b")))),
        ("add title=\"a b\" --first", .add(["title": "a b"], id: nil, .first)),
        ("set a done=true note=null", .set(a, ["done": true, "note": .null])),
        ("unset a done", .set(a, ["done": .null])),
        ("count a cups -2", .count(a, name("cups"), -2)),
        ("count a cups 0.5", .count(a, name("cups"), .double(0.5))),
        ("move a b --after c", .move([a, id("b")], .after(id("c")))),
        ("delete a b --unless-edited", .delete([a, id("b")], unlessEdited: true)),
        ("restore a --with-draft", .restore(a, withDraft: true)),
        ("filter two words x=1 --pin", .filter(filter("two words", ["x": 1]), pins: true)),
        ("sort", .sort(nil)),
        ("sort cups --descending", .sort(Sort(name("cups"), descending: true))),
        ("edit a", .edit(a, .draft)), ("edit --live a", .edit(a, .live)),
        ("draft a title=x", .draft(a, ["title": "x"])),
        ("commit a --merge", .commit(a, .merge)), ("commit a", .commit(a, .ifUnchanged)),
        ("cancel a", .cancel(a)),
        ("save-new a --id b --last", .saveNew(a, id: id("b"), .last)),
        ("discard 3", .discard(MutationNumber(3))),
        ("history", .history(nil)), ("history a", .history(a)), ("quit", .quit), ("exit", .quit),
    ]

    @Test(arguments: commands) func `a line is understood`(line: String, command: ShellCommand)
        throws
    {
        #expect(try ShellParser.parse(line) == command)
    }

    @Test(arguments: ["", "   ", "# a remark", "\t"]) func `a line may say nothing`(line: String)
        throws
    {
        #expect(try ShellParser.parse(line) == nil)
    }

    static let faults: [(String, String)] = [
        ("lst", "there is no command lst; did you mean list?"),
        ("frobnicate", "there is no command frobnicate; help lists the commands"),
        ("open", "open needs the name of a list"), ("open Food", "Food is no list name"),
        ("set a", "set needs FIELD=VALUE"), ("set a b", "b is no FIELD=VALUE"),
        ("move a", "move needs --first"), ("move a --first --last", "move takes one place"),
        ("add --after", "--after needs an ID behind it"), ("list all", "list does not take all"),
        ("list --all", "list does not take --all"), ("count a n x", "count needs a number"),
        ("discard zero", "zero is no number"), ("discard 0", "0 is no number"),
        ("add title=\"open", "a quote is not closed"),
        ("edit a --live --draft", "edit takes one of"),
    ]

    @Test(arguments: faults) func `a wrong line is told what is wrong`(
        line: String, sentence: String
    ) {
        let fault = #expect(throws: UsageFault.self) { try ShellParser.parse(line) }
        #expect(fault?.sentence.hasPrefix(sentence) == true, "\(fault?.sentence ?? "")")
    }

    static let hostile = [
        "\"", "\\", "\"\\\"", "=", "add =", "add ==", "add \u{0}=1", "set \u{1B}[31m a=1",
        "add x={\"a\":" + String(repeating: "[", count: 10_000), "move \u{202E}a --first",
        String(repeating: "a", count: 100_000), "add " + String(repeating: "x=1 ", count: 10_000),
        "-- -- --", "--", "delete " + String(repeating: "é", count: 65), "count a n 1e999",
    ]

    @Test(arguments: hostile) func `no line harms`(line: String) {
        _ = try? ShellParser.parse(line)
    }

    @Test func `every command of the help is a command`() {
        for verb in ShellParser.verbs {
            #expect(!sentence(of: verb).contains("there is no command"))
        }
    }

    private func sentence(of line: String) -> String {
        do throws(UsageFault) {
            _ = try ShellParser.parse(line)
            return ""
        } catch {
            return error.sentence
        }
    }

    @Test func `a mark behind a quote, a sign or a blank does not hide it`() throws {
        let mark = "\u{301}"
        #expect(
            Tokens.split("a \"\(mark)b c\" d \(mark)e") == ["a", "\"\(mark)b c\"", "d", mark + "e"])
        for text in [mark, mark + " x", "\"" + mark, "=" + mark] {
            let word = "n=" + Tokens.spelling(of: .text(text))
            #expect(Tokens.assignment(word)?.1 == .text(text), "\(word)")
            #expect(Tokens.text(Printing.word(text + " ")) == text + " ")
        }
    }

    @Test(arguments: [
        ("dr", ["draft", "drop-list"]), ("edit k", ["k7", "k8"]), ("set k7 k", []),
        ("delete k7 m", ["m2"]), ("add x=1 --after m", ["m2"]), ("commit k7 --o", ["--overwrite"]),
        ("restore ", ["g2", "g1"]), ("restore k", []), ("restore g2 ", []), ("open f", ["food"]),
        ("commit ", ["k8", "v1"]), ("save-new ", ["v1"]), ("discard ", ["4"]),
        ("history ", ["k7", "k8", "m2", "g2", "g1"]), ("nope ", []),
    ]) func `Tab offers commands, elements and flags`(line: String, offered: [String]) {
        let names = ShellSession.Names(
            lists: { ["food", "beer"] }, rows: { ["k7", "k8", "m2"] }, gone: { ["g2", "g1"] },
            edited: { ["k8", "v1"] }, vanished: { ["v1"] }, work: { ["4"] })
        #expect(ShellSession.candidates(for: line, names) == offered)
        #expect(ShellSession.candidates(for: "", names) == ShellParser.verbs)
    }
}
