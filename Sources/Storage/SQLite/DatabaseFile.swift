internal import Glibc

/// A database of ours on disk: locked, checked, and written in flushed transactions.
///
/// While one is open the folder holds `name`, `name-wal`, `name-shm` and `name.lock`. Outsiders may
/// read (`sqlite3 name ".backup copy"`), which at most puts a checkpoint off.
final class DatabaseFile {
    /// The log is copied into the main file whenever it has grown by this many frames (4 MiB):
    /// often enough to keep it short, seldom enough to cost little.
    private static let checkpointFrames = 1_024
    /// A log whose file is larger, after some large write, is emptied then. Otherwise the next one
    /// is written over it: a flush that also has to make the file longer takes three times as long.
    private static let keptSize = 8 << 20

    private let path: String
    /// `nil`: it is only looked at.
    private let lock: FileLock?

    /// For reading, and inside `write`; `nil` only while this object goes away.
    private var connection: Database?
    private var stamp: Stamp

    /// The next write must stamp first. Stamping more often than the log begins anew is harmless.
    private var stampIsDue = true
    private var isReadOnly = false
    private var checkpointAt = DatabaseFile.checkpointFrames
    /// A write failed, perhaps for want of room.
    private var hasFailed = false
    /// What opening it changed of its format.
    private(set) var migration: Migration?

    /// Opens, or makes if there is none; a database of an older format becomes one of this. Throws
    /// `inUse`, `newerFormat`, `damaged`, `foreign`, `strayLog` or `failed`, and has then changed
    /// nothing but the lock file.
    ///
    /// - Parameter keepsOld: whether the database as it was is kept beside it.
    init(
        _ path: String, _ format: DatabaseFormat, keepsOldFormat keepsOld: Bool = true
    ) throws(StorageError) {
        let path = resolved(path)
        let lock = try FileLock(path + ".lock")
        let found = try DatabaseCheck(path: path, format: format).run()
        if found == nil { try DatabaseDraft(path: path, format: format).make() }
        let database = try Database(path, .ordinary)
        let mode = try database.first("PRAGMA journal_mode = WAL") { $0.text(0) }
        if mode != "wal" { throw .failed("\(path) takes no write-ahead log; use a local disk.") }
        try database.run("PRAGMA synchronous = FULL")
        database.countsFrames()
        try database.run("PRAGMA temp_store = MEMORY")
        let bytes = try database.first("SELECT bytes FROM stamp") { $0.bytes(0) }
        guard let stamp = Stamp(bytes: bytes ?? []) else {
            throw .damaged("\(path) has lost its stamp; put a backup back.")
        }
        self.path = path
        self.lock = lock
        self.connection = database
        self.stamp = stamp
        checkpoint(emptying: true)
        if let found, found < format.version { try migrate(from: found, to: format, keepsOld) }
    }

    /// Looks at a database and changes nothing, not even its folder; a process that has it open is
    /// told of by `inUse`.
    init(lookingAt path: String, _ format: DatabaseFormat) throws(StorageError) {
        let path = resolved(path)
        let hasLock = FileKind(path + ".lock") != .missing
        lock = hasLock ? try FileLock(path + ".lock") : nil
        guard try DatabaseCheck(path: path, format: format).run() != nil else {
            throw .failed("There is no \(path).")
        }
        let database = try Database(path, .looking(at: path))
        let verdict = try database.first("PRAGMA integrity_check(1)") { $0.text(0) }
        if verdict != "ok" { throw .damaged("\(path) is damaged: \(verdict ?? "no answer")") }
        try database.run("PRAGMA query_only = ON")
        self.path = path
        stamp = Stamp(after: nil)
        isReadOnly = true
        connection = database
    }

    /// Reads a database as it is at one moment, while a server may be writing to it. Nothing but
    /// what SQLite needs for that changes beside it.
    init(reading path: String, _ format: DatabaseFormat) throws(StorageError) {
        let path = resolved(path)
        guard FileKind(path) != .missing else { throw .failed("There is no \(path).") }
        try DatabaseCheck(path: path, format: format).checkLogIfIdle()
        let database = try Database(path, .reading(path))
        try database.run("PRAGMA query_only = ON")
        try database.run("BEGIN")
        _ = try format.version(of: database, path: path)
        self.path = path
        lock = nil
        stamp = Stamp(after: nil)
        isReadOnly = true
        connection = database
    }

    deinit {
        connection = nil  // Before the lock goes: closing copies the log into the main file.
    }

    /// The connection, for reading.
    var database: Database {
        get throws(StorageError) {
            guard let connection else { throw .closed }
            return connection
        }
    }

    /// Runs `body` in a transaction that is durable when this returns and undone when it throws.
    func write<Answer>(
        _ body: (Database) throws(StorageError) -> Answer
    ) throws(StorageError) -> Answer {
        let database = try database
        if isReadOnly { throw .failed("\(path) is only looked at.") }
        do throws(StorageError) {
            try stampIfDue(database)
            let answer = try database.transaction { () throws(StorageError) in
                try body(database)
            }
            if database.logFrames >= checkpointAt || hasFailed { checkpoint(emptying: hasFailed) }
            return answer
        } catch {
            // After a full disk, the first write that succeeds also shortens the log.
            if case .failed = error { hasFailed = true }
            throw error
        }
    }

    /// In one transaction, so that a crash leaves the one format or the other.
    private func migrate(
        from found: Int, to format: DatabaseFormat, _ keepsOld: Bool
    ) throws(StorageError) {
        let kept = keepsOld ? OldFormatCopy(of: path, before: format.version) : nil
        let name = try kept?.make(from: database, stamp)
        do throws(StorageError) {
            try write { database throws(StorageError) in
                for step in format.steps.dropFirst(found - 1).joined() { try database.run(step) }
                try database.run("PRAGMA user_version = \(format.version)")
            }
        } catch {
            if let name { unlink(name) }
            throw error
        }
        checkpoint(emptying: true)
        migration = Migration(from: found, to: format.version, kept: name)
    }

    /// Of the main file and the log.
    var byteCount: Int { size(of: path) + logSize }

    /// Writes the file anew, with nothing free in it, in the old one's place; then it is closed. A
    /// crash leaves the one or the other.
    func rewrite() throws(StorageError) {
        try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
        guard logSize == 0 else { throw .inUse(path: path) }
        let draft = try VacuumedCopy(of: path, named: path + ".new").make(from: database)
        connection = nil
        // Whoever still reads the old file goes on with its own.
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
        guard rename(draft, path) == 0 else {
            unlink(draft)
            throw .systemCall("\(path) could not be replaced")
        }
        try flush(folder(of: path))
    }

    private func stampIfDue(_ database: Database) throws(StorageError) {
        if !stampIsDue { return }
        let fresh = Stamp(after: stamp)
        try database.transaction { () throws(StorageError) in
            try database.run("UPDATE stamp SET bytes = ?", .bytes(fresh.bytes))
        }
        stamp = fresh
        stampIsDue = false
    }

    /// Copies the log into the main file, to begin it anew. What fails here is not lost, it stays
    /// in the log: so nobody is told, and it is tried again some writes later.
    private func checkpoint(emptying: Bool) {
        stampIsDue = true
        hasFailed = false
        guard let connection else { return }
        _ = try? connection.copyLog(emptying: emptying || logSize > Self.keptSize)
        checkpointAt = connection.logFrames + Self.checkpointFrames
    }

    private var logSize: Int { size(of: path + "-wal") }
}

/// 0 where there is no file.
private func size(of path: String) -> Int {
    guard case .file(let size) = FileKind(path) else { return 0 }
    return size
}
