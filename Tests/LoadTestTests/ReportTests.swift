import Testing

@testable import LoadTest

@Suite("What is told of a run") struct ReportTests {
    private func report(_ gates: [String] = []) throws -> Report {
        var settings = Scenario.fanOut.defaults
        settings.gates = try gates.map { try Gate($0) }
        var report = Report(settings, server: 7)
        let start = Moment(nanoseconds: 1_000_000_000)
        report.begin(nil, generator: 0, at: start)
        var figures = Figures()
        for value in 1...100 as ClosedRange<UInt64> {
            figures.answers.record(value * 1_000_000)
            figures.deliveries.record(value * 2_000_000)
        }
        figures.edits = 100
        figures.delivered = 1_000
        for second in [1, 2] as [UInt64] {
            let sample = Crowd.Sample(
                figures: figures, cpu: second * 100_000_000, live: 10, unanswered: 0,
                lastJoin: start)
            report.add(sample, nil, at: start.adding(seconds: Double(second)))
        }
        report.end(nil, generator: 300_000_000, last: start)
        report.isComplete = true
        report.note((FlawTally(), [], 0))
        return report
    }

    @Test func `all seconds together make the figures`() throws {
        let report = try report()
        #expect(report[.edits] == 200 && report[.deliveries] == 2_000)
        #expect(report[.editsPerSecond] == 20 && report[.generatorCPU] == 0.03)
        let median = try #require(report[.answersP50])
        #expect(median >= 0.05 && median < 0.051)
        #expect(report[.serverCPU] == nil && report[.joinsP50] == nil)
        #expect(report.exitCode == 0 && report.hitGates.isEmpty)
        #expect(report.text.contains("every client has the server's rows"))
    }

    @Test func `what comes just behind a second is part of it`() throws {
        var report = try report()
        var more = Figures()
        more.edits = 7
        let sample = Crowd.Sample(
            figures: more, cpu: 201_000_000, live: 9, unanswered: 1,
            lastJoin: Moment(nanoseconds: 0))
        report.add(sample, nil, at: Moment(nanoseconds: 3_050_000_000))
        #expect(report.seconds.count == 2 && report.seconds.last?.figures.edits == 107)
        #expect(report.seconds.last?.live == 9 && report.seconds.last?.generatorCPU == 0.1)
    }

    @Test func `a gate that is hit ends with 99, a flaw with 1 whatever the gates`() throws {
        var report = try report(["delivery_p99>100ms", "answers_p99>1s"])
        #expect(report.exitCode == 99 && report.hitGates.count == 1)
        #expect(report.text.contains("delivery_p99>100ms: it is"))
        var flaws = FlawTally()
        flaws.note(.doubled(try Told(1).list, 3))
        report.note((flaws, [], 0))
        #expect(report.exitCode == 1 && report.text.contains("FAILED"))
        #expect(report.text.contains("food: entry 3 came twice"))
    }

    @Test func `who does not get everything fails the run`() throws {
        var report = try report()
        report.isComplete = false
        #expect(report.exitCode == 1)
    }

    @Test func `CSV has a line a second, each as long as the head`() throws {
        let lines = try report().csv.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 4 && lines[3].isEmpty)
        let columns = lines.prefix(3).map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        #expect(columns.allSatisfy { $0.count == columns[0].count })
        #expect(columns[1][1] == "100" && columns[1][2] == "1000")
    }

    @Test func `the picture shows what was measured and nothing else`() throws {
        let svg = Picture(try report()).svg
        for curve in ["edits", "deliveries", "answers p99", "delivery p50"] {
            #expect(svg.contains(">\(curve)</text>"))
        }
        #expect(!svg.contains(">server</text>") && !svg.contains("nan") && !svg.contains("inf"))
        #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n"))
    }

    @Test func `a logarithmic axis gives each power of ten the same room`() {
        let axis = Axis([0.5, 40], isLogarithmic: true)
        #expect(axis.marks.map { ($0 * 10).rounded() / 10 } == [0.1, 1, 10, 100])
        #expect(abs(axis.place(1) - 1.0 / 3) < 1e-9 && abs(axis.place(10) - 2.0 / 3) < 1e-9)
        let straight = Axis([37], isLogarithmic: false)
        #expect(straight.marks == [0, 10, 20, 30, 40] && straight.place(20) == 0.5)
    }

    @Test func `the generator says when it was the bottleneck`() throws {
        var report = try report()
        #expect(report.bottleneck == nil)
        report[.generatorCPU] = 0.93
        #expect(report.bottleneck != nil && report.text.contains("bottleneck"))
        report[.generatorCPU] = 0.2
        report[.lateP99] = 0.03
        #expect(report.bottleneck != nil)
    }

    @Test(
        arguments: [
            (0.0, "0"), (12, "12"), (1_234_567, "1,234,567"), (3.14159, "3.14"), (31.4159, "31.4"),
            (0.12345, "0.123"), (999.6, "1,000"), (-1_234, "-1,234"),
        ])
    func `numbers have the digits that matter`(value: Double, text: String) {
        #expect(Shown.number(value) == text)
    }

    @Test(
        arguments: [
            (0.0000052, "5.20 us"), (0.00124, "1.2 ms"), (0.2504, "250 ms"), (1.5, "1.50 s"),
        ])
    func `times have their unit`(value: Double, text: String) {
        #expect(Shown.time(value) == text)
    }

    @Test func `kills come evenly, and at least once`() {
        let start = Moment(nanoseconds: 0)
        var settings = Scenario.chaos.defaults
        settings.seconds = 10
        var troubles = Troubles(settings, from: start)
        var kills = 0
        while troubles.take(by: start.adding(seconds: 100)) == .kill { kills += 1 }
        #expect(kills == 3 && troubles.next == nil)
        settings.seconds = 1
        #expect(Troubles(settings, from: start).next == start.adding(seconds: 0.5))
    }
}
