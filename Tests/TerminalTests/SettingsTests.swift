import ProgramArguments
import Testing

@testable import Terminal

@Suite("What holds for every verb") struct SettingsTests {
    private func settings(
        _ flags: [String], _ variables: [String: String] = [:]
    ) throws -> Settings {
        let arguments = try Arguments(flags, of: "samelist", flags: Flag.everywhere)
        var variables = variables
        variables["HOME"] = variables["HOME"] ?? "/home/ana"
        return try Settings(arguments, environment: { variables[$0] }, login: { "login" })
    }

    @Test func `flags win over variables, and these over what is usual`() throws {
        let usual = try settings([])
        #expect(usual.server.description == "ws://127.0.0.1:7420")
        #expect(usual.name.text == "login")
        #expect(usual.timeout == 10_000)
        #expect(usual.folder == "/home/ana/.local/state/samelist")
        let variables = [
            "SAMELIST_SERVER": "host:1", "SAMELIST_NAME": "bo", "XDG_STATE_HOME": "/state",
        ]
        let told = try settings([], variables)
        #expect(told.server.description == "ws://host:1")
        #expect(told.name.text == "bo")
        #expect(told.folder == "/state/samelist")
        let flagged = try settings(
            ["--server", "wss://other", "--as", "cy", "--timeout", "0.5"], variables)
        #expect(flagged.server.description == "wss://other:443")
        #expect(flagged.name.text == "cy")
        #expect(flagged.timeout == 500)
        #expect(flagged.repeated == " --server wss://other --as cy")
    }

    @Test(arguments: [
        ["--server", "x y"], ["--server", "ftp://x"], ["--server", "x:0"], ["--as", ""],
        ["--as", "\u{1B}"], ["--timeout", "0"], ["--timeout", "nan"], ["--timeout", "soon"],
    ]) func `what cannot be is refused`(flags: [String]) {
        let failure = #expect(throws: Failure.self) { try settings(flags) }
        #expect(failure?.exit == .usage)
    }
}
