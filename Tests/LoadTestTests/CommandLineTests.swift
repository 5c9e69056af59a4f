import ProgramArguments
import Testing

@testable import LoadTest

@Suite("The command line of the load test") struct CommandLineTests {
    private func settings(_ line: String) throws(UsageError) -> Settings {
        let words = line.split(separator: " ").map(String.init)
        guard case .run(let settings) = try SettingsReader.read(words) else {
            throw UsageError("help")
        }
        return settings
    }

    @Test func `flags win over the scenario's own figures`() throws {
        let plain = try settings("write")
        #expect(plain.clients == 50 && plain.writers == 50 && plain.pace == .rate(500))
        let given = try settings("--rate max write --clients 7 --seconds 0.5 --bytes 9 -q")
        #expect(given.clients == 7 && given.pace == .flatOut && given.isQuiet)
        #expect(given.writers == 7 && given.seconds == 0.5 && given.bytes == 9)
        #expect(try settings("fan-out --rate one").pace == .oneAtATime)
    }

    @Test func `only this machine is loaded unless one says otherwise`() throws {
        for url in ["ws://192.0.2.1:7420", "wss://lists.example.org:443", "127.evil.example:1"] {
            #expect(throws: UsageError.self) { try settings("churn --server \(url)") }
            #expect(try settings("churn --allow-remote --server \(url)").server != nil)
        }
        for url in ["ws://127.0.0.1:7420", "localhost:80", "ws://[::1]:7420/", "127.8.9.1:2"] {
            #expect(try settings("churn --server \(url)").server?.isHere == true)
        }
        #expect(throws: UsageError.self) { try settings("chaos --server 127.0.0.1:7420") }
    }

    @Test(
        arguments: [
            "", "fanout", "fan-out write", "fan-out --clients 0", "fan-out --clients many",
            "fan-out --seconds nan", "fan-out --rate fast", "write --clients 3 --writers 4",
            "fan-out --server nowhere", "fan-out --picture run.png", "fan-out --lists 9999",
            "fan-out --fail-if nonsense", "fan-out --clientz 3", "slow-readers --slow 500",
        ])
    func `what cannot be is a usage error or help`(line: String) {
        #expect(throws: UsageError.self) { try settings(line) }
    }

    @Test func `several gates may be given`() throws {
        let words = ["join", "--fail-if", "joins_p99>1s", "--fail-if", "server_memory >= 60MB"]
        guard case .run(let settings) = try SettingsReader.read(words) else { return }
        #expect(settings.gates.map(\.figure) == [.joinsP99, .serverMemory])
        #expect(settings.gates.map(\.limit) == [1, 60_000_000])
        #expect(settings.gates.map(\.comparison) == [.above, .atLeast])
    }

    @Test func `gates know their units`() throws {
        #expect(abs(try Gate("delivery_p99.9<250us").limit - 0.00025) < 1e-12)
        #expect(try Gate("server_cpu>80%").limit == 0.8)
        #expect(try Gate("lost>0").limit == 0)
        #expect(try Gate("server_memory_per_connection>7KiB").limit == 7_168)
        for text in ["delivery_p99>200", "lost>1ms", "server_cpu>2", "p99>1s", "edits", ">1", ""] {
            #expect(throws: UsageError.self) { try Gate(text) }
        }
    }

    @Test func `a gate is hit by what it names, and by what was not measured`() throws {
        let gate = try Gate("answers_p99>=200ms")
        #expect(gate.isHit(by: 0.2) && !gate.isHit(by: 0.1999) && gate.isHit(by: nil))
        let fewer = try Gate("edits_per_s<10")
        #expect(fewer.isHit(by: 9) && !fewer.isHit(by: 10))
    }

    @Test func `the help names every scenario, flag and figure`() {
        let help = LoadHelp.text
        for scenario in Scenario.allCases { #expect(help.contains("  \(scenario.rawValue) ")) }
        for flag in Flag.ofLoad { #expect(help.contains("--\(flag.name)")) }
        for figure in Figure.allCases { #expect(help.contains(figure.rawValue)) }
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }
}
