import Foundation
import Testing

@Suite("samelist with a token") struct TokenTests {
    let samelist: SamelistProgram

    init() throws { samelist = try SamelistProgram() }

    /// Makes a token and keeps it in a file; answers the file's path.
    private func token(_ name: String, _ list: String, _ rights: String) throws -> String {
        let file = samelist.place.path(name + ".token")
        let made = try samelistd(
            ["create", "--name", name, "--list", list, "--rights", rights])
        try Data(made.utf8).write(to: file)
        chmod(file.path, 0o600)
        return file.path
    }

    @discardableResult
    private func samelistd(_ words: [String]) throws -> String {
        let process = Process()
        process.executableURL = Place.program("samelistd")
        process.arguments =
            ["token"] + words + ["--data", samelist.place.path("data").path]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Unexpected("\(words)") }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Until the server has noticed, which looks once a second: before the first token it is open.
    private func untilKnown(_ token: String) throws {
        for _ in 0..<200 {
            let isClosed = try samelist("lists").status == 4
            if try samelist("lists", "--token-file", token).status == 0, isClosed { return }
        }
        throw Unexpected("the token was never noticed")
    }

    @Test func `a token that is printed into a file can be used at once`() throws {
        let data = samelist.place.path("data").path
        let made = try samelist.shell(
            """
            umask 022
            create() { samelistd token create --list '*' --rights own --data '\(data)' "$@"; }
            create --name ana > t
            stat -c %a t
            echo more >> u
            create --name bo >> u
            stat -c %a u
            """)
        #expect(made.lines.filter { $0.count == 3 } == ["600", "644"])
        try untilKnown(samelist.place.path("t").path)
    }

    @Test func `4 without a token, with a wrong one, and for what it does not give`() throws {
        let ana = try token("ana", "*", "own")
        let rita = try token("rita", "food", "read")
        try untilKnown(rita)
        #expect(try samelist("new", "food", "--token-file", ana).status == 0)
        #expect(try samelist("add", "food", "Milk", "--token-file", ana).status == 0)
        let stranger = try samelist("ls", "food")
        #expect(stranger.status == 4 && stranger.errors.contains("token"))
        #expect(try samelist("ls", "food", "--token-file", rita).output.contains("Milk"))
        let write = try samelist("add", "food", "Tea", "--token-file", rita, "--json")
        #expect(write.status == 4)
        #expect(try write.faults.first?["code"] as? String == "read_only")
        #expect(try samelist("ls", "tools", "--token-file", rita).status == 4)
        #expect(try samelist("drop", "food", "-f", "--token-file", rita).status == 4)
    }

    @Test
    func
        `the name is the token's, which comes from a file or standard input`()
        throws
    {
        let ana = try token("ana", "*", "own")
        try untilKnown(ana)
        #expect(try samelist("new", "food", variables: ["SAMELIST_TOKEN_FILE": ana]).status == 0)
        let text = try String(contentsOfFile: ana, encoding: .utf8)
        let added = try samelist(
            "add", "food", "-", "--token-file", "-", input: text + "Tea\nJam\n")
        #expect(added.status == 0 && added.output.contains("Added 2 rows"))
        #expect(
            try samelist(
                "context", "add", "work", samelist.server.url, "--token-file", ana
            ).status == 0)
        let history = try samelist("history", "food", "--context", "work", "--json")
        #expect(try history.objects.allSatisfy { $0["by"] as? String == "ana" })
        let other = try samelist("lists", "--token-file", ana, "--as", "bob")
        #expect(other.status == 2 && other.errors.contains("ana"))
        chmod(ana, 0o644)
        let loose = try samelist("lists", "--token-file", ana)
        #expect(loose.status == 4 && loose.errors.contains("chmod 600"))
        let itself = text.trimmingCharacters(in: .newlines)
        let mistaken = try samelist("lists", "--token-file", itself)
        #expect(mistaken.status == 4 && mistaken.errors.contains("the name of its file"))
        #expect(!mistaken.errors.contains(itself))
    }

    @Test func `a shell whose token is revoked is told, and keeps its draft until it is back`()
        throws
    {
        let ana = try token("ana", "*", "own")
        let bob = try token("bob", "*", "write")
        try untilKnown(bob)
        try samelist("new", "food", "--token-file", ana)
        try samelist("add", "food", "Milk", "--id", "milk", "--token-file", ana)
        let shell = try SamelistProcess(samelist, ["shell", "--token-file", bob])
        #expect(try shell.ask("open food") == "ok 1")
        #expect(try shell.ask("edit milk").hasPrefix("ok"))
        #expect(try shell.ask(#"draft milk title="Oat milk""#) == "ok")
        try samelistd(["revoke", "--name", "bob"])
        #expect(try shell.event() == "* vanished milk access-lost")
        #expect(try shell.event() == "* closed food access-lost")
        #expect(try shell.event().hasPrefix("* thrown-out "))
        #expect(try shell.ask("list") == "ok 0")
        let again = try token("bob", "*", "write")
        #expect(again == bob)
        try untilKnown(bob)
        #expect(try shell.ask("online") == "ok")
        #expect(try shell.ask("open food") == "ok 1")
        #expect(try shell.event() == "* returned milk")
        #expect(try shell.ask("commit milk").hasPrefix("ok"))
        #expect(try samelist("ls", "food", "--token-file", ana).output.contains("Oat milk"))
    }
}
