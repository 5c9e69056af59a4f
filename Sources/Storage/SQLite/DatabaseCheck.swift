internal import Glibc

/// Looks at a database before it is opened, and changes nothing: not a byte of the main file, of
/// its `-wal` or of its `-shm`, and no new file beside them. To be called under the file's lock.
///
/// A load that goes wrong and yields an empty list would overwrite the stored one at the next
/// write; so whatever cannot be trusted is refused here, with what to do about it.
struct DatabaseCheck {
    let path: String
    let format: DatabaseFormat

    /// The version of a sound database, `nil` if there is none; throws what forbids opening it.
    func run() throws(StorageError) -> Int? {
        switch FileKind(path) {
        case .missing:
            try refuseLogsWithoutFile()
            return nil
        case .other:
            throw .damaged("\(path) is not a file that can be read; move it away.")
        case .file(let size):
            let pageSize = try checkHeader()
            let hasLog = try checkLog()
            // SQLite reads what is missing of the last page as zeros. With a log that may be right:
            // the copying back was cut short, and begins again.
            if !hasLog, size % pageSize != 0 { throw damaged("it was cut short") }
            return try checkContents(hasLog ? .inspecting : .immutable)
        }
    }

    private func refuseLogsWithoutFile() throws(StorageError) {
        for log in [path + "-wal", path + "-journal"] where FileKind(log) != .missing {
            throw .strayLog(
                "\(log) lies there without its database; put \(path) back beside it, "
                    + "or move it away to begin with nothing.")
        }
    }

    /// Answers the size of a page.
    private func checkHeader() throws(StorageError) -> Int {
        guard let header = File(path, O_RDONLY)?.read(100, at: 0) else {
            throw .systemCall("\(path) could not be read")
        }
        let pageSize = Self.pageSize(header)
        guard header.count == 100, header.starts(with: "SQLite format 3\0".utf8), pageSize >= 512
        else { throw damaged("it does not begin like a database") }
        try format.check(
            applicationID: word(header, 68), version: Int(word(header, 60)), path: path)
        return pageSize
    }

    /// The size of a page by a file's header; 0 if that is too short.
    private static func pageSize(_ header: [UInt8]) -> Int {
        if header.count < 18 { return 0 }
        let size = Int(header[16]) << 8 | Int(header[17])
        return size == 1 ? 65_536 : size
    }

    /// The same for who reads beside a process that may have the database open: that one has
    /// checked it. Without one, opening it would make SQLite read a log that may be another's.
    func checkLogIfIdle() throws(StorageError) {
        do throws(StorageError) {
            let lock = FileKind(path + ".lock") == .missing ? nil : try FileLock(path + ".lock")
            defer { withExtendedLifetime(lock) {} }
            try checkLog()
        } catch {
            guard case .inUse = error else { throw error }
        }
    }

    /// True if there are log bytes that SQLite would take notice of. Cheap beside `run`, and for
    /// who only reads: SQLite itself would silently drop what lies behind a damage in the log.
    @discardableResult
    func checkLog() throws(StorageError) -> Bool {
        if FileKind(path + "-journal") != .missing {
            throw strayLog("-journal")
        }
        switch FileKind(path + "-wal") {
        case .missing, .file(size: 0): return false
        case .other: throw strayLog("-wal")
        case .file(let size):
            guard let main = File(path, O_RDONLY), let file = File(path + "-wal", O_RDONLY) else {
                throw .systemCall("\(path) and its -wal could not be read")
            }
            let log = WriteAheadLog(file, size: size)
            if log.isDamaged { throw strayLog("-wal") }
            if log.frames > 0, !isPair(main, log) { throw strayLog("-wal") }
            if log.losesCommits { throw damagedLog(log) }
            return true
        }
    }

    private func isPair(_ main: File, _ log: WriteAheadLog) -> Bool {
        let header = main.read(100, at: 0)
        guard header.count == 100 else { return false }
        // A vacuumed copy has the same stamp on another arrangement of pages, and is known by its
        // format, which is not yet that with a write-ahead log (2).
        let pageSize = Self.pageSize(header)
        guard header[18] == 2, header[19] == 2, pageSize == log.pageSize else { return false }
        let page = main.read(pageSize, at: Int(Stamp.page - 1) * pageSize)
        guard let stamp = Stamp(page: page) else { return false }
        return log.belongs(toFileWith: stamp)
    }

    private func strayLog(_ suffix: String) -> StorageError {
        .strayLog(
            "\(path)\(suffix) is damaged or belongs to another state of the database; both were "
                + "left as they are. Put back the two files that belong together, or move the "
                + "\(suffix) away if the database is a backup put back.")
    }

    private func damagedLog(_ log: WriteAheadLog) -> StorageError {
        .damaged(
            "\(path)-wal is damaged (frame \(log.frames + 1)), and what was stored behind that "
                + "would be lost; both files were left as they are. Put a backup back, or move "
                + "both away to begin with nothing.")
    }

    /// Answers the version, which the log may have and the header not yet.
    private func checkContents(_ mode: Database.Mode) throws(StorageError) -> Int {
        do throws(StorageError) {
            let database = try Database(path, mode)
            try database.run("PRAGMA cell_size_check = ON")
            let verdict = try database.first("PRAGMA quick_check(1)") { $0.text(0) }
            if verdict != "ok" { throw .damaged(verdict ?? "no answer") }
            let version = try format.version(of: database, path: path)
            let stamp = try database.first("SELECT bytes FROM stamp") { $0.bytes(0) }
            if Stamp(bytes: stamp ?? []) == nil { throw .damaged("no stamp") }
            return version
        } catch {
            guard case .damaged(let reason) = error else { throw error }
            throw damaged(reason)
        }
    }

    private func damaged(_ reason: String) -> StorageError {
        .damaged(
            "\(path) is damaged (\(reason)); it was left as it is. "
                + "Put a backup back, or move it away to begin with nothing.")
    }
}
