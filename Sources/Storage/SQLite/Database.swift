internal import CSQLite
internal import Glibc

/// One SQLite connection, closed with its last reference; used by one thread at a time.
final class Database {
    /// How the connection treats the files.
    enum Mode {
        /// Reads and writes a file that exists.
        case ordinary
        /// Looks at the main file alone and touches nothing: no lock, no log, no shared memory.
        case immutable
        /// Looks at the main file together with its write-ahead log and leaves both as they are.
        case inspecting
        /// Reads beside a process that may be writing, and leaves the copying back of the log to
        /// it.
        case copying

        /// For a database nobody has open: with its log where there is one.
        static func looking(at path: String) -> Mode {
            let log = FileKind(path + "-wal")
            return log == .missing || log == .file(size: 0) ? .immutable : .inspecting
        }

        /// For a database that a server may have open.
        static func reading(_ path: String) -> Mode {
            // Then no server writes there, and nothing can be made beside the file.
            let isReadOnly = access(folder(of: path), W_OK) != 0 && errno == EROFS
            return isReadOnly ? looking(at: path) : .copying
        }
    }

    private let handle: OpaquePointer
    private var statements: [String: Statement] = [:]
    /// Frames that the write-ahead log has, once `countsFrames`; as of the last commit.
    private(set) var logFrames = 0

    init(_ path: String, _ mode: Mode) throws(StorageError) {
        let flags =
            SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_URI
            | (mode == .immutable ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE)
        let name = "file:" + percentEncoded(path) + (mode == .immutable ? "?immutable=1" : "")
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(name, &opened, flags, nil)
        guard let opened else { throw .failed("There is not enough memory to open \(path).") }
        if code != SQLITE_OK {
            let error = StorageError(code: code, in: opened)
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        if mode == .copying {
            samelist_keep_log_on_close(handle)
            sqlite3_busy_timeout(handle, 10_000)
        }
        if mode == .inspecting {
            // Exclusive before the first access: the log's index is then kept in our own memory,
            // and neither a -shm file nor its contents are touched.
            samelist_keep_log_on_close(handle)
            try run("PRAGMA locking_mode = EXCLUSIVE")
        }
    }

    deinit {
        statements.removeAll()
        sqlite3_close_v2(handle)
    }

    /// Runs one statement to its end.
    func run(_ sql: String, _ values: Value...) throws(StorageError) {
        let statement = try prepared(sql, values)
        defer { statement.reset() }
        while try statement.step() {}
    }

    /// What `read` makes of the first row; `nil` without one.
    func first<Row>(
        _ sql: String, _ values: Value..., read: (Statement) throws(StorageError) -> Row
    ) throws(StorageError) -> Row? {
        let statement = try prepared(sql, values)
        defer { statement.reset() }
        return try statement.step() ? read(statement) : nil
    }

    /// Calls `visit` per row until it answers false.
    func each(
        _ sql: String, _ values: Value..., visit: (Statement) throws(StorageError) -> Bool
    ) throws(StorageError) {
        let statement = try prepared(sql, values)
        defer { statement.reset() }
        while try statement.step(), try visit(statement) {}
    }

    /// Runs `body` inside one transaction: durable when this returns, undone when this throws.
    func transaction<Answer>(
        _ body: () throws(StorageError) -> Answer
    ) throws(StorageError) -> Answer {
        try run("BEGIN IMMEDIATE")
        do throws(StorageError) {
            let answer = try body()
            try run("COMMIT")
            return answer
        } catch {
            // SQLite has rolled back by itself after some errors, and says so here.
            if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
            throw error
        }
    }

    /// From here on. What SQLite would do of itself with a log of some length, it no longer does.
    func countsFrames() {
        sqlite3_wal_hook(handle, logGrew, Unmanaged.passUnretained(self).toOpaque())
    }

    fileprivate func note(logFrames count: Int) { logFrames = count }

    /// Copies the log into the main file, so that the next write begins it anew: over what stands
    /// there, or with an empty file. False: somebody reads it, and it goes on.
    func copyLog(emptying: Bool) throws(StorageError) -> Bool {
        let mode = emptying ? "TRUNCATE" : "RESTART"
        let isBusy = try first("PRAGMA wal_checkpoint(\(mode))") { $0.integer(0) != 0 }
        guard isBusy == false else { return false }
        logFrames = 0
        return true
    }

    private func prepared(_ sql: String, _ values: [Value]) throws(StorageError) -> Statement {
        let statement: Statement
        if let cached = statements[sql] {
            statement = cached
        } else {
            statement = try Statement(sql, in: handle)
            statements[sql] = statement
        }
        try statement.bind(values)
        return statement
    }
}

private func logGrew(
    _ database: UnsafeMutableRawPointer?, _: OpaquePointer?, _: UnsafePointer<CChar>?,
    _ frames: Int32
) -> Int32 {
    if let database {
        Unmanaged<Database>.fromOpaque(database).takeUnretainedValue()
            .note(logFrames: Int(frames))
    }
    return SQLITE_OK
}

extension StorageError {
    /// What a failed SQLite call means to our callers.
    init(code: Int32, in database: OpaquePointer) {
        let reason = String(cString: sqlite3_errmsg(database)) + ", SQLite code \(code)"
        self =
            switch code & 0xff {
            case SQLITE_CORRUPT, SQLITE_NOTADB:
                .damaged(
                    "The database is damaged (\(reason)); stop the program and put a backup back.")
            case SQLITE_FULL:
                .failed("The disk is full (\(reason)); free space, and writes go on by themselves.")
            case SQLITE_BUSY, SQLITE_LOCKED:
                .failed("Another program has locked the database (\(reason)); close it there.")
            case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM:
                .failed("The disk does not do as asked (\(reason)); check it and its permissions.")
            default:
                .failed("The database refused (\(reason)); try again, then check the disk.")
            }
    }
}

/// A path as it must stand in a `file:` address.
private func percentEncoded(_ path: String) -> String {
    var encoded = ""
    for byte in path.utf8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."):
            encoded.unicodeScalars.append(Unicode.Scalar(byte))
        default:
            encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
    }
    return encoded
}
