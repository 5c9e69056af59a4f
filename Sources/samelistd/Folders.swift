import Glibc
internal import ListModel
internal import ListServer
internal import ProgramArguments
internal import Threads

/// The verbs that look after a data folder.
extension Program {
    static func check(_ given: GivenSettings) throws(UsageError) -> Int32 {
        let folder = try noFile(given.folder())
        return reporting {
            let check = try FolderCheck(folder: folder)
            for flaw in check.flaws { say(flaw) }
            for change in check.formatChanges {
                say(
                    "\(folder): format \(change.to) since \(Dates.text(change.at)), before that "
                        + "\(change.from)")
            }
            let found =
                "\(counted(check.lists, "list")), \(counted(check.entries, "entry", "entries"))"
            guard check.flaws.isEmpty else {
                say("\(folder): \(found); \(counted(check.flaws.count, "flaw"))")
                return ExitCode.failed
            }
            say("\(folder): \(found); nothing is wrong")
            return ExitCode.done
        }
    }

    static func backup(_ given: GivenSettings) throws(UsageError) -> Int32 {
        guard let file = given.arguments[.to], !file.isEmpty else {
            throw UsageError("backup needs --to FILE. See samelistd help backup.")
        }
        let folder = try noFile(given.folder())
        let copy = FolderCopy(of: folder, to: file)
        end { copy.giveUp() }
        return reporting {
            try copy.make()
            say("\(folder) is backed up to \(file)")
            return ExitCode.done
        }
    }

    /// A signal that ends the program takes with it what was begun.
    static func end(_ giveUp: @escaping @Sendable () -> Void) {
        let signals = EndSignals()
        let thread = Thread.start {
            let signal = signals.waitForAny()
            giveUp()
            _exit(ExitCode.ended(by: signal))
        }
        thread?.detach()
    }

    static func restore(_ given: GivenSettings) throws(UsageError) -> Int32 {
        guard let file = given.arguments[.from], !file.isEmpty else {
            throw UsageError("restore needs --from FILE. See samelistd help restore.")
        }
        guard kind(of: file) != S_IFDIR else {
            throw UsageError(
                "\(file) is a folder, and --from names a file that samelistd backup wrote.")
        }
        let folder = trimmed(try noFile(given.folder()))
        let force = given.arguments.has(.force)
        return reporting {
            let kept = try FolderCopy.restore(file, to: folder, replacing: force)
            let aside = kept.map { "; what it held is in \($0)" } ?? ""
            say("\(folder) holds the lists of \(file)\(aside)")
            return ExitCode.done
        }
    }

    /// Where the lists are is a folder; of a file it is said what can be done with it.
    private static func noFile(_ folder: String) throws(UsageError) -> String {
        guard kind(of: folder) != S_IFREG else {
            throw UsageError(
                "\(folder) is a file, and --data names a folder; a backup is restored into an "
                    + "empty one.")
        }
        return folder
    }

    /// S_IFREG, S_IFDIR …; `nil`: there is none, or it cannot be seen.
    private static func kind(of path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    static func reporting(_ body: () throws -> Int32) -> Int32 {
        do {
            return try body()
        } catch {
            say("samelistd: \(error)", on: STDERR_FILENO)
            return ExitCode.failed
        }
    }

    /// What root makes in the folder of another user would be out of that user's reach.
    static func becomeOwner(of folder: String) {
        var status = stat()
        guard geteuid() == 0, stat(folder, &status) == 0, status.st_uid != 0 else { return }
        _ = setgroups(0, nil)
        _ = setgid(status.st_gid)
        _ = setuid(status.st_uid)
    }

    /// Another folder's name is made of it by adding to its end.
    private static func trimmed(_ folder: String) -> String {
        var folder = folder[...]
        while folder.count > 1, folder.hasSuffix("/") { folder = folder.dropLast() }
        return String(folder)
    }
}
