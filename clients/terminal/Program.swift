internal import Glibc
internal import ListProtocol
internal import ProgramArguments

/// `samelist`: reads the command line, runs its verb, and ends with its exit code.
@main
enum Program {
    @MainActor
    static func main() async {
        StandardStreams.holdPlaces()
        Signals.shared.start()
        let line = Array(CommandLine.arguments.dropFirst())
        // Errors of the command line itself go by the flag as it was spelt.
        var output = Output(isJSON: line.contains("--json"), isQuiet: false)
        do throws(Failure) {
            switch try request(line) {
            case .help(let text): output.text(text, "help")
            case .version: output.result("samelist \(Release.version)", Self.version)
            case .run(let verb, let words, let arguments):
                output = Output(
                    isJSON: arguments.has(.json), isQuiet: arguments.has(.quiet),
                    isPlain: arguments.has(.plain))
                var invocation = Invocation(
                    verb: verb, words: words, arguments: arguments,
                    settings: try Settings(
                        arguments, environment: StandardStreams.environment,
                        login: Settings.login, isLenient: verb.isLenient),
                    output: output)
                try await verb.run(&invocation)
            }
            exit(ExitCode.done.rawValue)
        } catch {
            if !error.sentence.isEmpty { output.failure(error) }
            exit(error.exit.rawValue)
        }
    }

    private static func request(_ line: [String]) throws(Failure) -> CommandLineReader.Request {
        do throws(UsageError) {
            return try CommandLineReader.read(line)
        } catch {
            throw Failure(error)
        }
    }

    private static let version: Output.Members = [("version", .text(Release.version))]
}
