import Glibc
internal import ProgramArguments

/// `samelistd config`: what holds, and why.
extension Program {
    static func config(_ arguments: Arguments) throws(UsageError) -> Int32 {
        let words = arguments.words.dropFirst()
        let what = words.first ?? ""
        guard words.count == 1, ["check", "show"].contains(what) else {
            let advice = suggestion(for: what, among: ["check", "show"])
            throw UsageError(
                "config is followed by check or show. "
                    + (advice.map { "Did you mean \($0)?" } ?? "See samelistd help config."))
        }
        let given = try GivenSettings(arguments, environment: environment)
        return what == "show" ? showConfig(given) : checkConfig(given)
    }

    /// A line each, tabs between: scripts read it too.
    private static func showConfig(_ given: GivenSettings) -> Int32 {
        for setting in Setting.all {
            let found = given(setting.flag)
            let value = found?.value ?? setting.usual ?? "-"
            let shown = String(masked(value).dropFirst().dropLast())
            say("\(setting.key)\t\(shown)\t\(found?.origin ?? "default")")
        }
        return tellFaults(given.config)
    }

    private static func checkConfig(_ given: GivenSettings) -> Int32 {
        let code = tellFaults(given.config)
        guard code == ExitCode.done else { return code }
        do throws(UsageError) {
            let settings = try ServeSettings(given)
            for file in settings.files where access(file, R_OK) != 0 {
                throw UsageError(
                    "cannot read \(masked(file)): \(String(cString: strerror(errno))).")
            }
        } catch {
            say("samelistd: \(error.sentence)", on: STDERR_FILENO)
            return ExitCode.usage
        }
        let isThere = access(given.config.file, F_OK) == 0
        say("\(given.config.file) \(isThere ? "has no fault" : "is not there; that is no fault").")
        return ExitCode.done
    }

    /// Faults that are told; a file with more is no configuration.
    private static let mostFaults = 50

    private static func tellFaults(_ config: ServerConfig) -> Int32 {
        for fault in config.faults.prefix(mostFaults) {
            say(
                "samelistd: \(config.file) line \(fault.line): \(fault.sentence)", on: STDERR_FILENO
            )
        }
        let more = config.faults.count - mostFaults
        if more > 0 { say("samelistd: \(more) more.", on: STDERR_FILENO) }
        return config.faults.isEmpty ? ExitCode.done : ExitCode.usage
    }
}
