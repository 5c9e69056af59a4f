import Glibc
internal import ListAuthority
internal import ListModel
internal import ListProtocol
internal import ListServer
internal import ProgramArguments

/// `samelistd export`, `import` and `compact`.
extension Program {
    static func export(_ given: GivenSettings) throws(UsageError) -> Int32 {
        let file = try file(.to, "export needs --to FILE, or - for standard output.", given)
        let folder = try given.folder()
        let isLiving = given.arguments.has(.living)
        let export = FolderExport(
            of: folder, try choice(given.arguments), livingOnly: isLiving, to: file)
        end { export.giveUp() }
        return reporting {
            let count = try export.make()
            say(
                "\(told(count)) of \(folder) are exported to \(file ?? "standard output")",
                on: file == nil ? STDERR_FILENO : STDOUT_FILENO)
            return ExitCode.done
        }
    }

    static func importLists(_ given: GivenSettings) throws(UsageError) -> Int32 {
        let file = try file(.from, "import needs --from FILE, or - for standard input.", given)
        let folder = try given.folder()
        let choice = try choice(given.arguments)
        let name = try newName(given.arguments)
        let bounds = try ServeSettings.bounds(given)
        let descriptor = file.map { open($0, O_RDONLY | O_CLOEXEC) } ?? STDIN_FILENO
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            say("samelistd: cannot read \(masked(file ?? "")): \(reason).", on: STDERR_FILENO)
            return ExitCode.failed
        }
        // What it is to read may be out of the reach of who owns the folder.
        becomeOwner(of: folder)
        return reporting {
            var reading = FolderImport(
                from: descriptor, named: file ?? "standard input", choice, as: name,
                replacing: given.arguments.has(.force), bounds: bounds)
            say("\(told(try reading.run(into: folder))) are imported into \(folder)")
            return ExitCode.done
        }
    }

    static func compact(_ given: GivenSettings) throws(UsageError) -> Int32 {
        let folder = try given.folder()
        let history = try ServeSettings.history(given)
        becomeOwner(of: folder)
        return reporting {
            let done = try FolderCompaction.run(in: folder, history.forServer)
            say(
                "\(folder): \(counted(done.entries, "entry", "entries")) of "
                    + "\(counted(done.lists, "list")) dropped; \(done.after) bytes, "
                    + "\(done.before) before")
            return ExitCode.done
        }
    }

    private static func told(_ count: ExportLine.Count) -> String {
        "\(counted(count.lists, "list")), \(counted(count.elements, "element")) and "
            + "\(count.graves) deleted"
    }

    /// `nil` for a standard stream.
    private static func file(
        _ flag: Flag, _ need: String, _ given: GivenSettings
    ) throws(UsageError) -> String? {
        guard let file = given.arguments[flag], !file.isEmpty else { throw UsageError(need) }
        return file == "-" ? nil : file
    }

    private static func choice(_ arguments: Arguments) throws(UsageError) -> ListChoice {
        var choice = ListChoice(of: try tenant(arguments))
        guard let text = arguments[.only] else { return choice }
        var patterns: [ListPattern] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let pattern = ListPattern(String(word)) else {
                throw UsageError(
                    "--list is names of lists, in which * stands for anything, not "
                        + "\(masked(text)).")
            }
            patterns.append(pattern)
        }
        choice.patterns = patterns
        return choice
    }

    private static func newName(_ arguments: Arguments) throws(UsageError) -> ListName? {
        guard let text = arguments[.newName] else { return nil }
        guard let name = ListName(text) else {
            throw UsageError(
                "--as is 1-64 of a-z 0-9 . _ -, a letter or digit first, not \(masked(text)).")
        }
        return name
    }

    static func tenant(_ arguments: Arguments) throws(UsageError) -> Tenant? {
        guard let text = arguments[.tenant] else { return nil }
        guard let tenant = Tenant(text) else {
            throw UsageError("--tenant is 1-64 of a-z 0-9 . _ -, not \(masked(text)).")
        }
        return tenant
    }
}
