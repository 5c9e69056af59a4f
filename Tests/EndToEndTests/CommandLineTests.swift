import Foundation
import Testing

/// A command line, how it ends, and what it says where.
struct CommandLineCase: Sendable, CustomTestStringConvertible {
    let arguments: String
    let code: Int32
    var output: [String] = []
    var errors: [String] = []

    var testDescription: String { "samelistd \(arguments)" }

    static func done(_ arguments: String, _ output: String...) -> Self {
        Self(arguments: arguments, code: 0, output: output)
    }

    static func wrong(_ arguments: String, _ errors: String...) -> Self {
        Self(arguments: arguments, code: 2, errors: errors)
    }

    static let all: [Self] = [
        done("", "Examples:", "samelistd serve", "--data", "samelistd --help"),
        done("--version", "samelistd 0.1.0"),
        done("serve --version", "samelistd 0.1.0"),
        done("--help", "Usage:", "--listen HOST:PORT", "Exit codes"),
        done("-h", "Usage:"),
        done("help", "Usage:"),
        done("help serve", "SAMELIST_LOG_LEVEL", "/readyz"),
        done("serve --help", "SAMELIST_LOG_LEVEL", "/readyz"),
        done("-h serve", "SAMELIST_LOG_LEVEL", "/readyz"),
        done("serve --data x -h", "SAMELIST_LOG_LEVEL"),
        wrong("--listen 127.0.0.1:7500", "needs a verb", "samelistd serve --listen"),
        wrong("--log-level debug --data x", "samelistd serve --data"),
        wrong("srve", "\"srve\"", "Did you mean serve?"),
        wrong("frobnicate", "\"frobnicate\"", "samelistd --help"),
        wrong("help srve", "\"srve\"", "Did you mean serve?"),
        wrong("serve --lsten 127.0.0.1:1", "\"--lsten\"", "Did you mean --listen?"),
        wrong("--frobnicate", "\"--frobnicate\""),
        wrong("serve -x", "\"-x\""),
        wrong("serve --lis 127.0.0.1:1", "\"--lis\""),
        wrong("serve --data", "--data", "needs a value"),
        wrong("serve --version=3", "takes no value"),
        wrong("serve folder", "flags only", "\"folder\""),
        wrong("serve --listen 7420", "HOST:PORT"),
        wrong("serve --listen 127.0.0.1:70000", "HOST:PORT"),
        wrong("serve --listen 0.0.0.0:7420", "other machines", "127.0.0.1"),
        wrong("serve --listen [::]:7420", "other machines"),
        wrong("serve --listen 127.example:7420", "other machines"),
        wrong("serve --listen example.org:7420", "other machines"),
        wrong("serve --history 3y", "30d", "all"),
        wrong("serve --history 0", "30d", "all"),
        wrong("serve --history -5d", "30d", "all"),
        done("completion bash", "complete -F _samelistd samelistd"),
        done("completion zsh", "#compdef samelistd"),
        done("completion words -- token c", "create"),
        done("completion words -- export --t", "--to", "--tenant"),
        done("completion words -- serve --data x --log-l", "--log-level"),
        done("completion words -- serve --log-level wa", "warning"),
        done("completion words -- backup --to x", ":files"),
        done("completion --help", "Usage: samelistd completion"),
        wrong("completion", "bash, zsh or fish"),
        wrong("completion tcsh", "bash, zsh or fish"),
        wrong("export", "export needs --to"),
        wrong("import", "import needs --from"),
        wrong("export --to - --list A", "--list is names"),
        wrong("export --to - --tenant A", "--tenant is"),
        wrong("import --from - --as A", "--as is"),
        wrong("import --from - --limit length=0", "length is a number"),
        wrong("compact --history 0", "30d", "all"),
        wrong("serve --log-level loud", "debug, info, warning or error"),
    ]
}

@Suite("The command line of samelistd") struct CommandLineTests {
    @Test(arguments: CommandLineCase.all)
    func `says what it does, or what is wrong, and ends so`(line: CommandLineCase) throws {
        let ended = try run(line.arguments.split(separator: " ").map(String.init))
        #expect(ended.code == line.code)
        for text in line.output { #expect(ended.output.contains(text)) }
        for text in line.errors { #expect(ended.errors.contains(text)) }
        #expect(line.code == 0 ? ended.errors.isEmpty : ended.output.isEmpty)
        if line.code != 0 { #expect(ended.errors.count { $0 == "\n" } == 1, "one line") }
    }

    @Test func `takes flags before and after the verb, and over variables`() throws {
        let folder = try temporaryFolder()
        let variables = [
            "SAMELIST_LISTEN": "nonsense", "SAMELIST_DATA": "unused", "SAMELIST_HISTORY": "10",
            "SAMELIST_LOG_LEVEL": "debug",
        ]
        let flags = ["--listen", "127.0.0.1:0", "serve", "--data=here", "--log-level", "error"]
        let daemon = try Daemon(flags, in: folder, environment: variables)
        #expect(try daemon.line().contains("data here (new)"))
        #expect(FileManager.default.fileExists(atPath: folder.path + "/here/samelist.db"))
        daemon.signal(SIGTERM)
        let ended = daemon.end()
        #expect(ended.code == 0 && ended.errors.isEmpty)
    }

    @Test(arguments: [
        ["SAMELIST_LISTEN": "nonsense"], ["SAMELIST_HISTORY": "nonsense"],
        ["SAMELIST_LOG_LEVEL": "nonsense"],
    ])
    func `names the variable that is wrong`(variables: [String: String]) throws {
        let ended = try run(["serve"], environment: variables)
        #expect(ended.code == 2)
        #expect(ended.errors.contains(try #require(variables.keys.first)))
    }
}
