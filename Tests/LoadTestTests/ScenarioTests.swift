import Foundation
import Testing

@testable import LoadTest

@Suite("Scenarios against a real server", .serialized) final class ScenarioTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("samelist-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func run(_ arguments: String) throws -> LoadResult {
        let result = try LoadResult(arguments, temporary: folder)
        #expect(result.program.code == 0, "\(result.program.output)\(result.program.errors)")
        #expect(result.isProved && result.flaws.isEmpty)
        for figure in ["lost", "doubled", "diverged", "gaps", "forgotten"] {
            #expect(result[figure] == 0)
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(left.isEmpty, "left behind: \(left)")
        return result
    }

    @Test func `fan-out: every edit reaches everybody`() throws {
        let result = try run("fan-out --clients 20 --seconds 1 --rate 30 --rows 10")
        #expect(result["edits"] == 30)
        // The keeper of the list reads, too.
        #expect(result["deliveries"] == 30 * 21)
        #expect(result["delivery_p50"] > 0 && result["delivery_max"] >= result["delivery_p99"])
        #expect(result["server_cpu_per_delivery"] > 0 && result["server_memory"] > 1e6)
    }

    @Test func `fan-out, the next edit when everybody has the one before`() throws {
        let result = try run("fan-out --clients 20 --seconds 1 --rate one --idle 5")
        #expect(result["edits"] > 3 && result["deliveries"] == result["edits"] * 21)
    }

    @Test func `write, as fast as it goes`() throws {
        let result = try run("write --clients 10 --seconds 1 --rate max --window 8")
        #expect(result["edits"] > 50 && result["answers_p99"] > 0)
    }

    @Test func `mixed: all kinds of operations in several lists`() throws {
        let result = try run("mixed --clients 20 --writers 10 --lists 3 --seconds 1 --rows 20")
        #expect(result["edits"] > 100)
    }

    @Test func `join: first visits are timed from when they were meant`() throws {
        let result = try run("join --clients 20 --rows 2000 --seconds 1 --joins 20")
        #expect(result["joins"] == 20 && result["joins_p50"] > 0 && result["bytes_per_join"] > 1e5)
    }

    @Test func `come-back and churn`() throws {
        let back = try run("come-back --clients 20 --away 0.2 --seconds 1 --joins 20 --rows 50")
        #expect(back["joins"] > 5 && back["edits"] == 50)
        let churn = try run("churn --clients 20 --seconds 1 --joins 20 --rows 50")
        #expect(churn["joins"] == 20 && churn["edits"] == 50)
    }

    @Test func `slow-readers: who stopped gets everything in the end`() throws {
        let result = try run(
            "slow-readers --clients 20 --slow 5 --seconds 1 --rate 100 --bytes 20000 --rows 5")
        #expect(result["edits"] == 100 && result["deliveries"] == 100 * 21)
        #expect(result["before_p50"] > 0)
    }

    @Test func `storm: everybody comes back after a restart`() throws {
        let result = try run("storm --clients 20 --seconds 2 --rows 10")
        #expect(result["restarts"] == 1 && result["all_back"] > 0 && result["edits"] == 100)
    }

    @Test func `chaos: kill -9 loses nothing that was acknowledged`() throws {
        let result = try run("chaos --clients 20 --seconds 2 --kill-every 0.7 --rows 10")
        #expect(result["restarts"] == 2 && result["cuts"] >= 20 && result["edits"] == 200)
    }

    @Test func `gates end with 99, and files are written`() throws {
        let csv = folder.appendingPathComponent("run.csv")
        let svg = folder.appendingPathComponent("run.svg")
        let program = try LoadProgram(
            "samelist-load",
            [
                "fan-out", "--clients", "5", "--seconds", "1", "--fail-if", "edits<1000",
                "--fail-if", "lost>0", "--csv", csv.path, "--picture", svg.path,
            ], temporary: folder)
        #expect(program.code == 99 && program.output.contains("edits<1000: it is 20"))
        #expect(!program.output.contains("lost>0"))
        #expect(try String(contentsOf: csv, encoding: .utf8).hasPrefix("time_s,edits,"))
        #expect(try String(contentsOf: svg, encoding: .utf8).hasSuffix("</svg>\n"))
    }

    @Test func `usage errors end with 2, a server that is not there with 1`() throws {
        let usage = try LoadProgram("samelist-load", ["fanout"])
        #expect(usage.code == 2 && usage.errors.contains("Did you mean fan-out?"))
        let absent = try LoadProgram(
            "samelist-load", ["fan-out", "--server", "127.0.0.1:1", "--quiet"])
        #expect(absent.code == 1 && absent.errors.contains("127.0.0.1:1"))
    }

    @Test func `the bare sender delivers every frame`() throws {
        for mode in [[], ["--flat-out"], ["--flat-out", "--per-write", "16"]] {
            let program = try LoadProgram(
                "samelist-limits", ["--clients", "20", "--edits", "100", "--json"] + mode)
            let object = try program.object()
            #expect(program.code == 0 && object["deliveries"] as? Int == 2_000)
        }
    }
}
