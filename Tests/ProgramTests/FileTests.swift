import Foundation
import Testing

@Suite("Lists in and out of files") struct FileTests {
    let samelist: SamelistProgram

    init() throws { samelist = try SamelistProgram() }

    private let rows = """
        {"id":"a","fields":{"e":"","n":"5","o":{"b":[1,null]},"title":"x\\u001b[31m\\nline"}}
        {"id":"b","fields":{"done":true,"title":"say \\"hi\\", you"}}
        {"id":"c","fields":{}}

        """

    @Test func `a pipe carries a list exactly`() throws {
        #expect(try samelist("import", "one", "-", "--create", input: rows).status == 0)
        #expect(try samelist("export", "one").output == rows)
        let piped = try samelist.shell(
            "samelist export one | samelist import two --create - -q && samelist export two")
        #expect(piped.output == rows)
        for file in ["list.csv", "list.jsonl"] {
            #expect(try samelist("export", "one", file).status == 0)
            let name = "from-" + file
            #expect(try samelist("import", name, file, "--create").status == 0)
            #expect(try samelist("export", name).output == rows)
        }
        #expect(try samelist("export", "one", "list.md", "-q").status == 0)
        #expect(try samelist("import", "three", "list.md", "--create").status == 0)
        #expect(try samelist("ls", "three").output.contains("[x] say \"hi\", you"))
    }

    @Test func `a line that cannot be read keeps everything out`() throws {
        try samelist("new", "food")
        let bad = try samelist("import", "food", "-", input: rows + "{\"id\":\n")
        #expect(bad.status == 1)
        #expect(bad.errors.contains("line 4"))
        #expect(bad.errors.contains("Nothing was imported"))
        let twice = try samelist("import", "food", "-", input: rows + rows)
        #expect(twice.errors.contains("line 4 of standard input cannot be read: a is in line 1"))
        #expect(try samelist("export", "food").output.isEmpty)
        #expect(try samelist("import", "nope", "-", input: rows).status == 1)
        #expect(try samelist("import", "food", "missing.csv").errors.contains("missing.csv"))
    }

    @Test func `refused rows are named, the others come in their order`() throws {
        try samelist("new", "food")
        try samelist("add", "food", "x", "--id", "r1500")
        try samelist("rm", "food", "r1500")
        let many = (1...3_000).map { "{\"id\":\"r\($0)\",\"fields\":{}}\n" }
        let imported = try samelist("import", "food", "-", input: many.joined())
        #expect(imported.status == 1)
        #expect(imported.errors.contains("r1500"))
        #expect(imported.errors.contains("1 row of 3000 were refused"))
        var expected = many
        expected.remove(at: 1_499)
        #expect(try samelist("export", "food").output == expected.joined())
    }

    @Test func `of many refused rows twenty are named, and all of them to scripts`() throws {
        let many = (1...50).map { "{\"id\":\"r\($0)\",\"fields\":{}}\n" }.joined()
        try samelist("import", "food", "-", "--create", input: many)
        let again = try samelist("import", "food", "-", input: many)
        #expect(again.status == 1)
        let lines = again.errors.split(separator: "\n")
        #expect(lines.count == 22)
        #expect(lines[19].contains("line 20:"))
        #expect(lines[20] == "… and 30 more")
        #expect(try samelist("import", "food", "-", "--json", input: many).faults.count == 51)
    }

    @Test func `a row beyond what the server takes is refused by itself`() throws {
        let huge = String(repeating: "x", count: 2 << 20)
        let text = "{\"title\":\"\(huge)\"}\n{\"id\":\"b\"}\n"
        let imported = try samelist("import", "food", "-", "--create", input: text)
        #expect(imported.status == 1)
        #expect(imported.errors.contains("line 1: row"))
        #expect(imported.errors.contains("65536"))
        #expect(try samelist("export", "food").output == "{\"id\":\"b\",\"fields\":{}}\n")
    }

    @Test func `what is no file of its own is written to, never replaced`() throws {
        try samelist("import", "one", "-", "--create", input: rows)
        let piped = try samelist.shell(
            "mkfifo pipe; cat pipe & samelist export one pipe -q; wait; test -p pipe")
        #expect(piped.output == rows)
        #expect(piped.status == 0)
        let words = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"]
        for word in words {
            let shown = try samelist.shell(
                "ln -sf /dev/fd/1 link; echo before > out; samelist export one \(word) >> out; "
                    + "cat out")
            #expect(shown.output == "before\n" + rows, "\(word)")
        }
        let third = try samelist.shell(
            "echo before > out; samelist export one /dev/fd/3 -q 3>> out; cat out")
        #expect(third.output == "before\n" + rows)
        #expect(try samelist.shell("mkdir d; samelist export one d").status == 1)
    }

    @Test func `a file keeps its mode, and a link stays one`() throws {
        try samelist("import", "one", "-", "--create", input: rows)
        let kept = try samelist.shell(
            """
            mkdir d; echo old > d/real; chmod 600 d/real; ln -s d/real link; ln -s d/new fresh
            umask 027; samelist export one link -q; samelist export one fresh -q
            stat -c '%a %F' link fresh d/real d/new; cat d/real; ls d
            """)
        let modes = "777 symbolic link\n777 symbolic link\n600 regular file\n640 regular file\n"
        #expect(kept.output == modes + rows + "new\nreal\n")
    }
}
