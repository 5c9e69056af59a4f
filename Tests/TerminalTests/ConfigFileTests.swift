import ProgramArguments
import Testing

@testable import Terminal

@Suite("The configuration file") struct ConfigFileTests {
    private let text = """
        # mine
        context = work   # for now
        timeout = 5

        [work]
        server = wss://lists.example.org
        name = ana # in the office

        [home]
        server = localhost:7500

        """

    @Test func `keys stand above the contexts or in one of them`() {
        let file = ConfigFile(text)
        #expect(file.faults == [])
        #expect(file.general.map(\.value) == ["work", "5"])
        #expect(file.contexts.map(\.name) == ["work", "home"])
        #expect(file.context("work")?.map(\.value) == ["wss://lists.example.org", "ana"])
        #expect(file.text == text)
    }

    @Test(arguments: [
        ("sever = x", "Did you mean server?"), ("token = x", "secrets"),
        ("nonsense", "KEY = VALUE"),
        ("server = x y", "is no server"), ("timeout = soon", "seconds"), ("context = gone", "gone"),
        ("[a]\n[a]", "twice"), ("[a b]", "no name of a context"), ("[a]\ncontext = a", "above"),
        ("name = ", "is no name"),
    ]) func `what is wrong is told with its line`(text: String, part: String) {
        let faults = ConfigFile("\n" + text).faults
        #expect(faults.count == 1)
        #expect(faults.first?.sentence.contains(part) == true, "\(faults)")
        #expect(faults.first.map { $0.line >= 2 } == true)
    }

    @Test func `changes leave what people wrote`() {
        var file = ConfigFile(text)
        file.use("home")
        #expect(file.text == text.replacing("context = work   # for now", with: "context = home"))
        file.add("third", [(.server, "ws://h:1"), (.name, "cy")])
        #expect(file.text.hasSuffix("\n\n[third]\nserver = ws://h:1\nname = cy\n"))
        file.remove("home")
        #expect(file.faults == [])
        #expect(file.contexts.map(\.name) == ["work", "third"])
        #expect(file.text.contains("# mine\ntimeout = 5\n"))
        var fresh = ConfigFile()
        fresh.add("a", [(.server, "ws://h:1"), (.name, nil)])
        fresh.use("a")
        #expect(fresh.text == "context = a\n[a]\nserver = ws://h:1\n")
        fresh.remove("a")
        #expect(fresh.text.isEmpty)
    }

    private func given(
        _ flags: [String], _ variables: [String: String] = [:]
    ) throws -> [String?] {
        let arguments = try Arguments(flags, of: "samelist", flags: Flag.everywhere)
        let given = try GivenSettings(
            arguments, environment: { variables[$0] }, config: ConfigFile(text), file: "f")
        return [
            given.of(.server, flag: .server, variable: "SAMELIST_SERVER"),
            given.of(.name, flag: .user, variable: "SAMELIST_NAME"),
            given.of(.timeout, flag: .timeout, variable: nil),
        ].map { $0?.origin }
    }

    @Test func `flags, a named context, variables, the context, the rest of the file`() throws {
        #expect(try given([]) == ["context work", "context work", "f line 3"])
        #expect(
            try given([], ["SAMELIST_SERVER": "h"])
                == ["SAMELIST_SERVER", nil, "f line 3"], "the context is for another server")
        #expect(
            try given([], ["SAMELIST_SERVER": "wss://lists.example.org:443/"])[1]
                == "context work")
        #expect(
            try given(["--context", "home"], ["SAMELIST_SERVER": "h", "SAMELIST_NAME": "bo"])
                == ["context home", "SAMELIST_NAME", "f line 3"])
        #expect(
            try given(["--server", "x", "--context", "home", "--timeout", "1"])
                == ["--server", nil, "--timeout"])
        #expect(try given([], ["SAMELIST_CONTEXT": "home"])[0] == "context home")
        #expect(throws: Failure.self) { try given(["--context", "nope"]) }
    }
}
