import Foundation
import Testing

@Suite("Contexts and the configuration") struct ConfigurationTests {
    let samelist: SamelistProgram

    init() throws { samelist = try SamelistProgram() }

    private var file: URL { samelist.place.path(".config/samelist/config") }

    @Test func `a context is added, used and removed`() throws {
        let url = samelist.server.url
        let none = ["SAMELIST_SERVER": ""]
        let added = try samelist("context", "add", "here", url, "--as", "ana")
        #expect(added.output.hasPrefix("Added the context here; it is used from now on."))
        try samelist("context", "add", "there", "ws://127.0.0.1:1")
        #expect(try samelist("context", "add", "here", url).status == 1)
        #expect(
            try samelist("context", "--plain").lines
                == ["here\ttrue\t\(url)\tana\t\t\t", "there\tfalse\tws://127.0.0.1:1\t\t\t\t"])
        #expect(try samelist("new", "food", variables: none).status == 0)
        try samelist("add", "food", "Milk", variables: none)
        #expect(try samelist("history", "food", "--plain").output.contains("\tana\tadd\t"))
        let used = try samelist("context", "use", "there")
        #expect(used.output.hasSuffix("Undo: samelist context use here\n"))
        #expect(try samelist("lists", variables: none).status == 3)
        #expect(try samelist("lists", "--context", "here", variables: none).status == 0)
        #expect(
            try samelist("lists", variables: ["SAMELIST_SERVER": "", "SAMELIST_CONTEXT": "here"])
                .status == 0)
        #expect(try samelist("lists", "--context", "there").status == 3, "before the variable")
        #expect(try samelist("lists", "--context", "her").errors.contains("Did you mean here?"))
        #expect(try samelist("context", "remove", "there").status == 0)
        #expect(try samelist("context", "remove", "there").status == 1)
        #expect(try samelist("lists").status == 0)
    }

    @Test func `a context has no say where another server is named`() throws {
        let added = try samelist("context", "add", "work", "ws://h:1", "--as", "ana")
        #expect(added.errors.contains("SAMELIST_SERVER names \(samelist.server.url) and wins"))
        let shown = try samelist("config", "show", "--plain").lines
        #expect(shown.first?.hasSuffix("\tSAMELIST_SERVER") == true)
        #expect(shown.dropFirst().first?.contains("\tana\t") == false)
        let own = try samelist("config", "show", "--plain", variables: ["SAMELIST_SERVER": ""])
        #expect(own.lines.dropFirst().first == "name\tana\tcontext work")
    }

    @Test func `each value says where it comes from`() throws {
        try samelist("context", "add", "work", "wss://lists.example.org", "--as", "ana")
        let shown = try samelist(
            "config", "show", "--plain", "--timeout", "3", variables: ["SAMELIST_NAME": "bo"])
        let cells = shown.lines.map { $0.split(separator: "\t").map(String.init) }
        #expect(cells[0] == ["server", samelist.server.url, "SAMELIST_SERVER"])
        #expect(cells[1] == ["name", "bo", "SAMELIST_NAME"])
        #expect(cells[2] == ["timeout", "3", "--timeout"])
        #expect(cells[3] == ["context", "work", "\(file.path) line 1"])
        let object = try samelist("config", "show", "--json").objects.first
        #expect(object?["origin"] as? String == "SAMELIST_SERVER")
        #expect(try samelist("config", "show").lines.count == 6)
    }

    @Test func `faults are told with their lines, and nothing is done on them`() throws {
        #expect(try samelist("config", "check").status == 0)
        try samelist("context", "add", "work", samelist.server.url)
        try Data("context = gone\nsever = x\n".utf8).write(to: file)
        let checked = try samelist("config", "check")
        #expect(checked.status == 2)
        #expect(checked.errors.split(separator: "\n").count == 2)
        #expect(checked.errors.contains("line 2: there is no key \"sever\". Did you mean server?"))
        #expect(try samelist("lists").errors.contains("\(file.path) line 2"))
        #expect(try samelist("lists").status == 2)
        #expect(try samelist("config", "show").status == 0)
        #expect(try samelist("completion", "bash").status == 0)
        #expect(try samelist("context", "use", "work").status == 1)
        #expect(try samelist("context", "add", "work", samelist.server.url).status == 0)
        try Data([]).write(to: file)
        #expect(try samelist("lists").status == 0)
    }

    @Test func `a link to the file stays one`() throws {
        let made = try samelist.shell(
            """
            mkdir -p .config/samelist dots; touch dots/config; chmod 644 dots/config
            ln -s ../../dots/config .config/samelist/config
            samelist context add work ws://h:1 -q
            test -L .config/samelist/config && cat dots/config
            """)
        #expect(made.output.contains("[work]"))
    }
}
