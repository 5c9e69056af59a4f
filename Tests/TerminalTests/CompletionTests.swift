import Testing

@testable import Terminal

@Suite("What Tab may complete") struct CompletionTests {
    private let known = Completion.Known(
        lists: { [.init("food"), .init("fun")] },
        rows: { $0 == "food" ? [.init("k7", "Milk"), .init("k8", "Tea")] : [] },
        gone: { $0 == "food" ? [.init("g1", "Jam deleted by bo")] : [] },
        contexts: { [.init("work")] })

    private func words(_ line: String...) -> [String] {
        guard case .candidates(let found) = Completion(line).answer(known) else {
            return [":files"]
        }
        return found.map(\.text)
    }

    @Test func `verbs first, each with what it does`() {
        #expect(words("") == Verb.all.map(\.name) + ["help"])
        #expect(words("re") == ["restore", "redo"])
        #expect(words("--json", "ex") == ["export"])
        #expect(words("help", "wat") == ["watch"])
        #expect(Completion.Candidate("a", "b").line == "a\tb")
    }

    @Test func `lists, and the rows of the list that was named`() {
        #expect(words("ls", "") == ["food", "fun"])
        #expect(words("ls", "fo") == ["food"])
        #expect(words("rm", "food", "k7", "k") == ["k8"])
        #expect(words("set", "food", "k8") == ["k8"])
        #expect(words("set", "food", "k7", "") == [])
        #expect(words("edit", "food", "k7", "") == [])
        #expect(words("rm", "nope", "") == [])
        #expect(words("restore", "food", "") == ["g1"])
        #expect(words("restore", "food", "g1", "k") == [])
        #expect(words("restore", "food", "g1", "") == [], "no row twice")
        #expect(words("watch", "food", "--", "") == [":files"])
        #expect(words("add", "food", "") == [])
    }

    @Test func `flags of the verb, and what they take`() {
        #expect(words("ls", "--s") == ["--sort", "--server"])
        #expect(words("who", "--so") == [])
        #expect(words("move", "food", "k7", "--after", "") == ["k7", "k8"])
        #expect(words("--context", "w") == ["work"])
        #expect(words("ls", "--server", "") == [])
        #expect(words("ls", "--server", "ws://x", "f") == ["food", "fun"])
        #expect(words("ls", "--server=ws://x", "f") == ["food", "fun"])
        #expect(words("-q", "ls", "f") == ["food", "fun"])
        #expect(words("ls", "--", "--s") == [])
    }

    @Test func `files and words that stand for themselves`() {
        #expect(words("export", "food", "") == [":files"])
        #expect(words("edit", "food", "k7", "--from", "x") == [":files"])
        #expect(words("completion", "") == ["bash", "zsh", "fish"])
        #expect(words("config", "c") == ["check"])
        #expect(words("context", "u") == ["use"])
        #expect(words("context", "use", "") == ["work"])
        #expect(words("export", "food", "--format", "c") == ["csv"])
        #expect(words("open", "food", "--color", "a") == ["auto", "always"])
    }

    @Test func `whatever stands there, nothing breaks`() {
        for line in [
            [], ["-"], ["--"], ["=", "--="], ["nope", ""], ["ls", "ls", "ls", ""], ["--after"],
        ] {
            _ = Completion(line).answer(known)
        }
    }

    @Test func `words and flags that the table can spell are all that it asks for`() {
        let kinds = Set(Verb.all.flatMap(\.operands))
        let told: Set = [
            "LIST", "ID", "FILE", "CONTEXT", "TEXT", "FIELD=VALUE", "URL", "COMMAND",
            "bash|zsh|fish", "show|check", "list|add|use|remove",
        ]
        #expect(kinds == told)
    }
}
