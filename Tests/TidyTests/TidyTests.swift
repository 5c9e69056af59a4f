import Testing

@Suite("The tree keeps the house style") struct TidyTests {
    @Test(arguments: Check.all) func `each rule holds in every file`(check: Check) {
        let excepted = Set(ReasonedException.all.filter { $0.check == check.name }.map(\.path))
        let violations = Tree.files.filter { !excepted.contains($0.path) }
            .flatMap(check.violations)
        #expect(violations.isEmpty, "\(violations.map(\.description).joined(separator: "\n"))")
    }

    @Test func `every exception is still needed, and says why`() {
        for exception in ReasonedException.all {
            let check = Check.all.first { $0.name == exception.check }
            let file = Tree.file(exception.path)
            #expect(exception.because.count > 20)
            #expect(file.flatMap { check?.violations(in: $0) }?.isEmpty == false, "\(exception)")
        }
    }

    @Test func `the tree was found`() {
        #expect(Tree.file("Package.swift") != nil)
        #expect(Tree.files.contains { $0.path.hasPrefix("Sources/ListModel/") })
    }

    @Test func `no module has the name of a type or another's but for case`() throws {
        let manifest = try #require(Tree.file("Package.swift"))
        let modules = Whole.modules(manifest: manifest.lines.joined(separator: "\n"))
        let types = Tree.files.filter(\.isProduct).flatMap(Whole.types)
        #expect(modules.contains("ListModel") && modules.contains("samelistd"))
        #expect(Whole.nameClashes(modules: modules, types: types) == [])
    }

    @Test func `ARCHITECTURE mentions every folder of Sources`() {
        guard let page = Tree.file("ARCHITECTURE.md") else { return }
        let folders = Tree.files.filter { $0.path.hasPrefix("Sources/") }
            .map { String($0.path.split(separator: "/")[1]) }
        let text = page.lines.joined(separator: "\n")
        #expect(Whole.unmentioned(folders: Set(folders), in: text) == [])
    }

    @Test func `every make rule that README names is in the Makefile`() throws {
        let page = try #require(Tree.file("README.md")).lines.joined(separator: "\n")
        let makefile = try #require(Tree.file("Makefile")).lines.joined(separator: "\n")
        let named = Set(Whole.rulesNamed(in: page))
        #expect(!named.isEmpty)
        #expect(named.subtracting(Whole.rules(of: makefile)) == [])
    }
}
