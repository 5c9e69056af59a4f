import ListModel
import ProgramArguments
import Testing

@testable import Terminal

@Suite("The command line") struct CommandLineTests {
    private func verb(_ line: String...) throws -> (name: String, words: [String], Arguments)? {
        guard case .run(let verb, let words, let arguments) = try CommandLineReader.read(line)
        else { return nil }
        return (verb.name, Array(words), arguments)
    }

    private func sentence(_ line: String...) -> String? {
        #expect(throws: UsageError.self) { try CommandLineReader.read(line) }?.sentence
    }

    @Test func `flags stand before or behind the verb`() throws {
        for line in [
            ["--json", "--as", "bo", "ls", "food"], ["ls", "food", "--json", "--as=bo"],
            ["--as", "bo", "ls", "--json", "food"],
        ] {
            guard case .run(let verb, let words, let arguments) = try CommandLineReader.read(line)
            else { throw UsageError("no verb") }
            #expect(verb.name == "ls")
            #expect(Array(words) == ["food"])
            #expect(arguments.has(.json) && arguments[.user] == "bo")
        }
    }

    @Test func `two hyphens end the flags, one is a word`() throws {
        #expect(try verb("add", "food", "--", "--json")?.words == ["food", "--json"])
        #expect(try verb("add", "food", "-")?.words == ["food", "-"])
        #expect(try verb("rm", "-qf", "food", "a")?.2.has(.force) == true)
    }

    @Test func `nothing is guessed`() {
        #expect(sentence("lss") == "there is no verb \"lss\". Did you mean ls?")
        #expect(sentence("l")?.hasPrefix("there is no verb") == true)
        #expect(sentence("ls", "--jso")?.contains("Did you mean --json?") == true)
        #expect(sentence("ls", "x", "--first")?.contains("ls takes no --first") == true)
        #expect(sentence("ls", "--as")?.contains("needs a value") == true)
        #expect(sentence("ls", "--json=1")?.contains("takes no value") == true)
        #expect(sentence("--json")?.contains("a verb is missing") == true)
        #expect(sentence("\u{1B}[2J")?.contains("\u{1B}") == false)
    }

    @Test func `help is everywhere`() throws {
        for verb in Verb.all {
            for line in [["help", verb.name], [verb.name, "--help"], ["-h", verb.name, "x"]] {
                guard case .help(let text) = try CommandLineReader.read(line) else {
                    throw UsageError("no help on \(verb.name)")
                }
                #expect(text == VerbHelp.text(of: verb))
            }
        }
    }

    @Test func `the help tells every verb, flag and exit code`() {
        for verb in Verb.all {
            #expect(VerbHelp.long.contains("\n  \(verb.name) "))
            let text = VerbHelp.text(of: verb)
            for flag in verb.flags + Flag.everywhere { #expect(text.contains("--\(flag.name)")) }
            #expect(!verb.examples.isEmpty)
            #expect(verb.examples.allSatisfy { $0.contains("samelist \(verb.name)") })
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
        }
        for code in ExitCode.allCases { #expect(VerbHelp.long.contains("\(code.rawValue) ")) }
        #expect(VerbHelp.short.components(of: "\n  samelist ") == 3)
    }

    @Test func `every example is understood`() throws {
        for verb in Verb.all {
            for example in verb.examples where !example.contains("|") && !example.contains("<") {
                let words = example.replacing("'", with: "").split(separator: " ").dropFirst()
                guard case .run(let read, _, _) = try CommandLineReader.read(words.map(String.init))
                else { throw UsageError(example) }
                #expect(read.name == verb.name)
            }
        }
    }

    @Test func `one name of a flag means one thing`() {
        let flags = Verb.all.flatMap(\.flags) + Flag.everywhere
        for (name, alike) in Dictionary(grouping: flags, by: \.name) {
            #expect(Set(alike).count == 1, "--\(name)")
        }
        let letters = Set(flags).compactMap(\.letter)
        #expect(Set(letters).count == letters.count)
    }
}

extension String {
    fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
