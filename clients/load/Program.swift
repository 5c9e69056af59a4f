internal import Glibc
internal import ListProtocol
internal import ProgramArguments

/// `samelist-load`: reads the command line, runs the scenario, and tells what came of it.
@main
enum Program {
    static func main() {
        let interruption = Interruption()
        do throws(UsageError) {
            switch try SettingsReader.read(Array(CommandLine.arguments.dropFirst())) {
            case .help: say(LoadHelp.text)
            case .version: say("samelist-load \(Release.version)")
            case .run(let settings): exit(run(settings, interruption))
            }
        } catch {
            say("samelist-load: \(error.sentence)", on: STDERR_FILENO)
            exit(2)
        }
    }

    private static func run(_ settings: Settings, _ interruption: Interruption) -> Int32 {
        do throws(LoadFailure) {
            let report = try Run(settings, interruption).perform()
            if settings.isJSON {
                say(String(decoding: report.json, as: UTF8.self), ending: "")
            } else if !settings.isQuiet || report.exitCode != 0 {
                say(report.text)
            }
            if let file = settings.csv { try write(report.csv, to: file) }
            if let file = settings.picture { try write(Picture(report).svg, to: file) }
            return report.exitCode
        } catch {
            say("samelist-load: \(error.sentence)", on: STDERR_FILENO)
            return 1
        }
    }

    private static func say(
        _ line: String, on descriptor: Int32 = STDOUT_FILENO, ending: String = "\n"
    ) {
        _ = writeAll(Array((line + ending).utf8), to: descriptor)
    }

    private static func write(_ text: String, to file: String) throws(LoadFailure) {
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw LoadFailure("\(file): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        guard writeAll(Array(text.utf8), to: descriptor) else {
            throw LoadFailure("\(file): \(String(cString: strerror(errno)))")
        }
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { return false }
            rest = rest.dropFirst(max(0, count))
        }
        return true
    }
}
