internal import ProgramArguments

/// Reads the words and flags of a command line.
struct SettingsReader {
    private let arguments: Arguments

    enum Request {
        case help
        case version
        case run(Settings)
    }

    static func read(_ line: [String]) throws(UsageError) -> Request {
        let arguments = try Arguments(line, of: "samelist-load", flags: Flag.ofLoad)
        if arguments.has(.version) { return .version }
        if arguments.has(.help) || line.isEmpty { return .help }
        return .run(try SettingsReader(arguments: arguments).settings())
    }

    private func settings() throws(UsageError) -> Settings {
        guard let word = arguments.words.first else {
            throw UsageError("which scenario? \(Self.names). See samelist-load --help.")
        }
        guard let scenario = Scenario(rawValue: word) else {
            let advice = suggestion(for: word, among: Scenario.allCases.map(\.rawValue))
            throw UsageError(
                "there is no scenario \(masked(word)). "
                    + (advice.map { "Did you mean \($0)?" } ?? "There are: \(Self.names)."))
        }
        if let extra = arguments.words.dropFirst().first {
            throw UsageError("one scenario at a time, not also \(masked(extra)).")
        }
        var settings = scenario.defaults
        try readSizes(&settings)
        try readPace(&settings)
        try readServer(&settings)
        try readOutput(&settings)
        try check(settings)
        return settings
    }

    private static var names: String {
        Scenario.allCases.map(\.rawValue).joined(separator: ", ")
    }

    private func readSizes(_ settings: inout Settings) throws(UsageError) {
        try read(.clients, 1...100_000, &settings.clients)
        try read(.writers, 0...100_000, &settings.writers)
        // Fewer clients than the scenario's writers, and nobody said how many are to write.
        if !arguments.has(.writers) { settings.writers = min(settings.writers, settings.clients) }
        try read(.idle, 0...100_000, &settings.idle)
        try read(.bytes, 1...60_000, &settings.bytes)
        try read(.rows, 1...1_000_000, &settings.rows)
        try read(.lists, 1...10_000, &settings.lists)
        try read(.slow, 0...100_000, &settings.slow)
        if !arguments.has(.slow) {
            settings.slow = max(0, min(settings.slow, settings.clients - settings.writers))
        }
        try read(.window, 1...5_000, &settings.window)
        settings.presence = arguments.has(.presence)
    }

    private func readPace(_ settings: inout Settings) throws(UsageError) {
        try read(.seconds, 0.1...86_400, &settings.seconds)
        try read(.joins, 0...10_000, &settings.joins)
        try read(.away, 0...3_600, &settings.away)
        try read(.killEvery, 0.5...3_600, &settings.killEvery)
        switch arguments[.rate] {
        case nil: break
        case "one": settings.pace = .oneAtATime
        case "max": settings.pace = .flatOut
        default:
            var rate = 0.0
            try read(.rate, 0...1_000_000, &rate)
            settings.pace = .rate(rate)
        }
    }

    private func readServer(_ settings: inout Settings) throws(UsageError) {
        settings.folder = arguments[.folder]
        guard let text = arguments[.server] else { return }
        guard let address = GivenServer(text) else {
            throw UsageError("\(masked(text)) is no address: ws://HOST:PORT.")
        }
        guard arguments.has(.allowRemote) || address.isHere else {
            throw UsageError(
                "\(masked(address.host)) is not this machine. If you may load it: --allow-remote.")
        }
        settings.server = address
        guard arguments.has(.pid) else { return }
        var process = 0
        try read(.pid, 1...Int(Int32.max), &process)
        settings.process = Int32(process)
    }

    private func readOutput(_ settings: inout Settings) throws(UsageError) {
        settings.isJSON = arguments.has(.json)
        settings.isQuiet = arguments.has(.quiet)
        settings.csv = arguments[.csv]
        settings.picture = arguments[.picture]
        for text in arguments.all(.failIf) {
            settings.gates.append(try Gate(text))
        }
        if let picture = settings.picture, !picture.hasSuffix(".svg") {
            throw UsageError("--picture draws SVG: FILE.svg, not \(masked(picture)).")
        }
    }

    private func check(_ settings: Settings) throws(UsageError) {
        guard settings.writers + settings.slow <= settings.clients else {
            throw UsageError(
                "\(settings.writers) writers and \(settings.slow) slow readers are more than "
                    + "\(settings.clients) clients.")
        }
        guard settings.lists <= settings.clients else {
            throw UsageError("--lists: more lists than clients.")
        }
        if settings.scenario == .chaos, settings.server != nil {
            throw UsageError("chaos kills its server, so it starts its own: without --server.")
        }
    }

    private func read(
        _ flag: Flag, _ range: ClosedRange<Int>, _ number: inout Int
    ) throws(UsageError) {
        guard let text = arguments[flag] else { return }
        guard let value = Int(text), range.contains(value) else {
            throw UsageError(
                "--\(flag.name) is a whole number from \(range.lowerBound) to "
                    + "\(range.upperBound), not \(masked(text)).")
        }
        number = value
    }

    private func read(
        _ flag: Flag, _ range: ClosedRange<Double>, _ number: inout Double
    ) throws(UsageError) {
        guard let text = arguments[flag] else { return }
        guard let value = Double(text), range.contains(value) else {
            throw UsageError(
                "--\(flag.name) is a number from \(Shown.number(range.lowerBound)) to "
                    + "\(Shown.number(range.upperBound)), not \(masked(text)).")
        }
        number = value
    }
}
