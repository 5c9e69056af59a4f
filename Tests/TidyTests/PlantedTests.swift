import Testing

/// Every rule notices what it is for, and leaves alone what only looks like it.
@Suite("The rules notice what they are for") struct PlantedTests {
    /// The numbers of the lines that a check complains of.
    private func lines(_ check: Check, _ path: String, _ text: String) -> [Int] {
        check.violations(in: TextFile(path, text)).map(\.line)
    }

    private let product = "Sources/Storage/Log.swift"
    private let pure = "Sources/ListProtocol/Message.swift"

    @Test func `code, comments and texts are told apart`() {
        let text = #"""
            let a = "x // { \(b("}")) \" y" // why
            let c = """
              { \(d)
              """ /* one /* two */ { */ + e
            let f = #"\("# + "#" + g
            """#
        let lines = SwiftSource(text).lines
        let code = [
            #"let a = "(b(""))" "#, "let c = \"", "(d)", "\"  + e", #"let f = "" + "" + g"#,
        ]
        #expect(lines.map(\.code) == code)
        #expect(lines.map(\.comment) == [" why", "", "", " one  two  { ", ""])
    }

    @Test func `long lines, files and functions`() {
        let long = String(repeating: "é", count: 101)
        #expect(lines(.lineLength, product, "\(long.dropLast())\n\(long)") == [2])
        let file = String(repeating: "\n", count: 301)
        #expect(lines(.fileLength, product, file) == [1])
        #expect(lines(.fileLength, product, String(file.dropLast())) == [])
        #expect(lines(.fileLength, "Tests/AnyTests/Any.swift", file) == [])
        let body = { (count: Int) in String(repeating: "    {}\n", count: count) }
        let signature = "func a(\n    b: () -> Void = {}\n) throws\n    -> C\n{\n"
        #expect(lines(.functionLength, product, signature + body(40) + "}") == [])
        #expect(lines(.functionLength, product, signature + body(41) + "}") == [1])
        #expect(lines(.functionLength, product, "\ninit?() {\n" + body(41) + "}") == [2])
        let requirement = "protocol P {\n    func a()\n    var b: Int { get }\n}\nenum E {\n"
        #expect(lines(.functionLength, product, requirement + body(50) + "}") == [])
        #expect(lines(.functionLength, product, "self.init()\nlet a = {\n" + body(50) + "}") == [])
    }

    @Test func `foreign imports, clocks and dice in pure parts`() {
        let imports = """
            import ListModel
            internal import CSimdjson
            @preconcurrency import Foundation
            import struct Glibc.timespec
            // import Foundation
            """
        #expect(lines(.pureImports, pure, imports) == [3, 4])
        #expect(lines(.pureImports, "Sources/ListModel/A.swift", imports) == [2, 3, 4])
        #expect(lines(.pureImports, product, imports) == [])
        let uses = """
            let a = Date()
            let b = candidateDate
            let c = Int.random(in: 0..<9)
            let d = Int.random(in: 0..<9, using: &generator)
            let e = ContinuousClock.now, f = "SystemRandomNumberGenerator"
            var g = SystemRandomNumberGenerator()
            """
        #expect(lines(.pureArguments, pure, uses) == [1, 3, 5, 6])
    }

    @Test func `what is unchecked without because`() {
        let text = """
            final class A: @unchecked Sendable {}  // because nothing in it changes
            final class B: @unchecked Sendable {
                // Confined to one thread,
                // because it says so.
            }
            final class C: @unchecked Sendable {
            }

            // because this is too far away
            nonisolated(unsafe) var d = 1
            let because = "@unchecked Sendable"
            """
        #expect(lines(.reasonedUnchecked, product, text) == [6, 10])
    }

    @Test func `traps and sleeps`() {
        let text = """
            fatalError("no")
            let a = try! b()
            let c = d as! E
            let f = try? g() as? H  // not fatalError(
            let i = "try!"
            """
        #expect(lines(.traps, product, text) == [1, 2, 3])
        #expect(lines(.traps, "Tests/AnyTests/Any.swift", text) == [])
        let sleeping = "usleep(1)\ntry await Task.sleep(for: .seconds(1))\nasleep = true"
        #expect(lines(.sleeps, "Tests/AnyTests/Any.swift", sleeping) == [1, 2])
    }

    @Test func `leftovers, in whatever file`() {
        let mark = "TO" + "DO"
        #expect(lines(.leftovers, "Makefile", "a:\n# \(mark): b") == [2])
        #expect(lines(.leftovers, "README.md", "mktemp a-" + "XX" + "XX \(mark)s") == [])
        let text = """
            // let a = b
            // let us see
            /// let a = b
            // }
            let c = 1  // let d = 2
            // if (e) {
            // import Foundation
            // return f(g)
            // func h(i) does the rest
            // return what was asked for (if anything)
            """
        #expect(lines(.commentedOutCode, product, text) == [1, 4, 6, 7, 8, 9])
    }

    @Test func `paths of a machine and package hosts`() {
        let work = "/" + "work/"
        #expect(lines(.machinePaths, "Makefile", "a \(work)b\nc/work/d ../work/e") == [1])
        let temporary = "let a = \"/" + "tmp/b\""
        #expect(lines(.machinePaths, product, temporary) == [1])
        #expect(lines(.machinePaths, "Tests/AnyTests/Any.swift", temporary) == [])
        let toolchain = "/opt" + "/swift/usr"
        #expect(lines(.machinePaths, ".ci/run", toolchain) == [1])
        #expect(lines(.machinePaths, "tools/setup", toolchain) == [])
        let host = { (labels: String...) in "http://\(labels.joined(separator: "."))/a" }
        let hosts = [host("deb", "example", "org"), host("eu-mirror", "example", "com")]
        #expect(lines(.packageHosts, "Dockerfile", hosts.joined(separator: "\n")) == [1, 2])
        let others = "swift.org debian:bookworm-slim .debug deb.swift registry.count 127.0.0.1"
        #expect(lines(.packageHosts, "README.md", others) == [])
    }

    @Test func `vague file names`() {
        #expect(lines(.fileNames, "Sources/Storage/LogManager.swift", "") == [1])
        #expect(lines(.fileNames, "Sources/Storage/Managers.swift", "") == [])
    }

    @Test func `modules named like types or like one another`() {
        let manifest = """
            bridge("CSQLite", "sqlite3", "libsqlite3-dev"),
            .target(name: "Samelist", dependencies: ["Other"]),
            .executableTarget(
                name: "samelist"),
            part("Storage", ["CSQLite"]),
            """
        let modules = Whole.modules(manifest: manifest)
        #expect(modules == ["CSQLite", "Samelist", "samelist", "Storage"])
        let code = "public final class Storage {}\nclass func make() {}\nenum Log<A> {}"
        let types = Whole.types(in: TextFile("Sources/Storage/A.swift", code))
        #expect(types == ["Storage", "Log"])
        let clashes = Whole.nameClashes(modules: modules, types: types)
        #expect(
            clashes == [
                "Samelist and samelist differ in case alone", "Storage is a module and a type",
            ])
    }

    @Test func `folders left out of a page and rules that are not there`() {
        let folders: Set = ["Storage", "ListModel"]
        #expect(
            Whole.unmentioned(folders: folders, in: "`StorageTests`, ListModel/") == ["Storage"])
        let page = "Type `make demo`, then make sure.\n```sh\n$ make test\nmake run\n```"
        #expect(Whole.rulesNamed(in: page) == ["demo", "test", "run"])
        let makefile = "A := b\nname := c\ntest: build\n\tmake\ndebian-folder: ## try"
        #expect(Whole.rules(of: makefile) == ["test", "debian-folder"])
    }
}
