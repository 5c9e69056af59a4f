internal import ProgramArguments

/// What the program says about itself.
enum LoadHelp {
    static var text: String {
        """
        Usage: samelist-load SCENARIO [FLAGS]

        Loads a server with clients, times what they get, and proves at the end that every client
        has the rows that the server has. Starts a server of its own unless --server names one.

        Scenarios:
        \(scenarios)

        Flags:
        \(flags)

        Examples:
          samelist-load fan-out --clients 1000 --seconds 10 --json
          samelist-load write --rate max --fail-if 'answers_p99>50ms'
          samelist-load chaos --seconds 60 --csv chaos.csv --picture chaos.svg
          samelist-load churn --server ws://127.0.0.1:7420 --pid 1234

        Figures for --fail-if:
        \(figures)

        Times are taken from when an edit was meant to be written, not from when it could be: a
        server that stalls is not excused. `delivery` is that of the last subscriber.

        Exit codes: 0 done, 1 rows were lost, doubled or diverged, or it could not run, 2 wrong
        usage, 99 a --fail-if holds, 130 Ctrl-C.
        """
    }

    private static var scenarios: String {
        Scenario.allCases.map { scenario in
            let defaults = scenario.defaults
            return entry(
                scenario.rawValue,
                "\(scenario.summary) (\(defaults.clients) clients, \(defaults.writers) writers, "
                    + "\(defaults.paceWords))", 16)
        }.joined(separator: "\n")
    }

    private static var flags: String {
        Flag.ofLoad.map { flag in
            let letter = flag.letter.map { "-\($0), " } ?? "    "
            let name = letter + "--" + flag.name + (flag.value.map { " " + $0 } ?? "")
            return entry(name, flag.summary, 28)
        }.joined(separator: "\n")
    }

    private static var figures: String {
        Figure.allCases.map(\.rawValue).joined(separator: " ").wrapped(to: 86)
            .map { "  " + $0 }.joined(separator: "\n")
    }

    private static func entry(_ name: String, _ text: String, _ margin: Int) -> String {
        text.wrapped(to: 86 - margin).enumerated().map { index, line in
            let start = index == 0 ? name : ""
            let gap = max(1, margin - start.count)
            return "  " + start + String(repeating: " ", count: gap) + line
        }.joined(separator: "\n")
    }
}
