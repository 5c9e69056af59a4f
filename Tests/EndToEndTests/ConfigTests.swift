import Foundation
import Testing

@Suite("The configuration of samelistd") struct ConfigTests {
    private func folder(_ config: String) throws -> URL {
        let folder = try temporaryFolder()
        try Data(config.utf8).write(to: folder.appendingPathComponent("conf"))
        return folder
    }

    private func check(_ config: String, _ arguments: [String] = []) throws -> Ended {
        try run(["config", "check", "--config", "conf"] + arguments, in: folder(config))
    }

    /// Each setting with a value that is not the usual one.
    private static let values = [
        ("listen", "127.0.0.1:7500"), ("data", "here"), ("history", "30d"),
        ("log-level", "debug"), ("log-format", "json"), ("metrics", "127.0.0.1:7501"),
        ("tls-cert", "conf"), ("tls-key", "conf"), ("insecure", "true"),
        ("origin", "https://example.org"), ("jwt-key", "conf"), ("jwt-alg", "HS256"),
        ("jwt-issuer", "me"), ("jwt-audience", "you"), ("limit", "lists=7,fields=8"),
    ]

    @Test func `has a key for each flag of serve, and shows where it is from`() throws {
        let help = try run(["help", "serve"]).output
        var flags = help.matches(of: /\n +--([a-z-]+)/).map { String($0.1) }
        flags.removeAll { $0 == "config" }
        #expect(flags == Self.values.map(\.0))
        let text = Self.values.map { "\($0.0) = \($0.1)   # so it is\n" }.joined()
        let shown = try run(["config", "show", "--config", "conf"], in: folder(text))
        #expect(shown.code == 0)
        let lines = Self.values.enumerated().map { index, pair in
            "\(pair.0)\t\(pair.1)\tconf line \(index + 1)\n"
        }
        #expect(shown.output == lines.joined())
        #expect(try check(text).output == "conf has no fault.\n")
    }

    @Test func `shows what holds where nobody says anything`() throws {
        let shown = try run(["config", "show", "--config", "conf"], in: folder("# nothing\n"))
        #expect(shown.output.hasPrefix("listen\t127.0.0.1:7420\tdefault\ndata\t./samelist-data\t"))
        #expect(shown.output.contains("\nmetrics\t-\tdefault\n"))
    }

    @Test func `lets variables win over the file, and flags over variables`() throws {
        let folder = try folder("history = 1\nlog-level = debug\ninsecure = false\ndata = file\n")
        let shown = try run(
            ["config", "show", "--data", "flag", "--insecure"], in: folder,
            environment: [
                "SAMELIST_CONFIG": "conf", "SAMELIST_DATA": "variable", "SAMELIST_HISTORY": "2",
            ])
        #expect(shown.output.contains("data\tflag\t--data\n"))
        #expect(shown.output.contains("history\t2\tSAMELIST_HISTORY\n"))
        #expect(shown.output.contains("log-level\tdebug\tconf line 2\n"))
        #expect(shown.output.contains("insecure\ttrue\t--insecure\n"))
    }

    @Test(arguments: [
        ("lsten = 127.0.0.1:1\n", "conf line 1: there is no key \"lsten\". Did you mean listen?"),
        ("\nfrobnicate = 1\n", "conf line 2: there is no key \"frobnicate\". There are listen,"),
        ("token = sl1.x\n", "secrets have no place here; samelistd token create"),
        ("[serve]\n", "there are no sections"),
        ("listen\n", "this line \"listen\" is no KEY = VALUE."),
        ("sl1.YW5h.x\n", "conf line 1: this line is no KEY = VALUE."),
        ("-----BEGIN KEY-----\nsl1.x==\n", "conf line 2: there is no key. There are listen,"),
        ("data =\n", "data needs a value."),
        ("data = a\ndata = b\n", "conf line 2: data is in line 1 already."),
        ("listen = 7420\n", "conf line 1: listen is HOST:PORT"),
        ("insecure = yes\n", "conf line 1: insecure is true or false, not \"yes\"."),
        ("log-format = xml\n", "conf line 1: log-format is logfmt or json"),
        ("limit = list=3\n", "Did you mean lists?"),
        ("tls-cert = a\n", "go together"),
        ("tls-cert = a\ntls-key = b\n", "cannot read \"a\": No such file or directory."),
        ("listen = 0.0.0.0:1\n", "can be reached from other machines"),
    ])
    func `names what is wrong, and where`(config: String, sentence: String) throws {
        let ended = try check(config)
        #expect(ended.code == 2 && ended.output.isEmpty)
        #expect(ended.errors.contains(sentence), "\(ended.errors)")
        #expect(!ended.errors.contains("sl1."))
    }

    @Test func `what is no configuration at all is told briefly`() throws {
        let ended = try check((0..<1_000).map { "sl1.x\($0)\n" }.joined())
        #expect(ended.code == 2 && ended.errors.count { $0 == "\n" } == 51)
        #expect(ended.errors.hasSuffix("samelistd: 950 more.\n") && !ended.errors.contains("sl1"))
    }

    @Test func `tells all faults of a file, and starts nothing by it`() throws {
        let folder = try folder("a = 1\nb = 2\n")
        let ended = try run(["config", "check", "--config", "conf"], in: folder)
        #expect(ended.errors.count { $0 == "\n" } == 2)
        for verb in ["serve", "check", "backup", "restore", "token"] {
            let more = ["backup": ["--to", "x"], "restore": ["--from", "x"], "token": ["list"]]
            let ended = try run([verb, "--config", "conf"] + (more[verb] ?? []), in: folder)
            #expect(ended.code == 2 && ended.errors.contains("1 more: samelistd config check."))
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/samelist-data"))
    }

    @Test func `needs the file that was named`() throws {
        let ended = try run(["serve", "--config", "missing"])
        #expect(ended.code == 2)
        #expect(ended.errors.contains("cannot read \"missing\": No such file or directory."))
        #expect(try run(["config", "chek"]).errors.contains("Did you mean check?"))
    }

    @Test func `takes another log level on SIGHUP, and keeps the old where the file is broken`()
        throws
    {
        let folder = try folder("log-level = error\nlog-format = json\n")
        let file = folder.appendingPathComponent("conf")
        let (daemon, _, _) = try Daemon.serving(["--config", "conf"], in: folder)
        try Data("log-level = info\n".utf8).write(to: file)
        daemon.signal(SIGHUP)
        let line = try daemon.errorLine { $0.contains("reload") }
        let parts = try #require(
            JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
        #expect(parts["event"] == "reload" && parts["level"] == "info")
        try Data("log-level = loud\n".utf8).write(to: file)
        daemon.signal(SIGHUP)
        #expect(try daemon.errorLine { $0.contains("settings-unusable") }.contains("conf line 1"))
        daemon.signal(SIGTERM)
        #expect(daemon.end().code == 0)
    }
}
