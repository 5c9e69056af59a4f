/// One of the kinds of database this program writes, and how to recognise it.
struct DatabaseFormat {
    /// Stands in the file's header; no two kinds share it.
    let applicationID: UInt32
    /// The tables, after the stamp.
    let schema: [String]
    /// What makes a database of each earlier version one of the next, the oldest first. Whoever
    /// only reads must understand them all.
    var steps: [[String]] = []

    /// Version of the schema; it also stands in the header and only ever grows.
    var version: Int { steps.count + 1 }

    /// The server's lists: `samelist.db`.
    static let lists = DatabaseFormat(
        applicationID: 0x534c_4c47,
        schema: [
            """
            CREATE TABLE lists (
                number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, epoch TEXT NOT NULL,
                head INTEGER NOT NULL DEFAULT 0, first INTEGER NOT NULL DEFAULT 1,
                snapshot INTEGER) STRICT
            """,
            """
            CREATE TABLE records (
                list INTEGER NOT NULL, version INTEGER NOT NULL, sum INTEGER NOT NULL,
                bytes BLOB NOT NULL, PRIMARY KEY (list, version)) STRICT, WITHOUT ROWID
            """,
            """
            CREATE TABLE parts (
                list INTEGER NOT NULL, part INTEGER NOT NULL, sum INTEGER NOT NULL,
                bytes BLOB NOT NULL, PRIMARY KEY (list, part)) STRICT
            """,
            formats, "INSERT INTO formats VALUES (2, 0, unixepoch())",
        ],
        steps: [[formats, "INSERT INTO formats VALUES (2, 1, unixepoch())"]])

    /// The formats that the database has had, each with the one before it (0: none), since when.
    private static let formats = """
        CREATE TABLE formats (
            version INTEGER PRIMARY KEY, before INTEGER NOT NULL, since INTEGER NOT NULL) STRICT
        """

    /// The server's tokens: `tokens.db`.
    static let tokens = DatabaseFormat(
        applicationID: 0x534c_544b,
        schema: [
            """
            CREATE TABLE tokens (
                id TEXT NOT NULL UNIQUE, hash BLOB NOT NULL UNIQUE, name TEXT NOT NULL,
                tenant TEXT NOT NULL, grants TEXT NOT NULL, created INTEGER NOT NULL,
                expires INTEGER NOT NULL, revoked INTEGER NOT NULL) STRICT
            """
        ])

    /// A client's own state.
    static let state = DatabaseFormat(
        applicationID: 0x534c_5354,
        schema: [
            """
            CREATE TABLE state (
                key BLOB NOT NULL PRIMARY KEY, sum INTEGER NOT NULL,
                bytes BLOB NOT NULL) STRICT, WITHOUT ROWID
            """
        ])

    /// Throws `foreign` or `newerFormat` for what a header says.
    func check(applicationID found: UInt32, version: Int, path: String) throws(StorageError) {
        if found != applicationID {
            throw .foreign(
                "\(path) is a database of another kind; it was left as it is. "
                    + "Move it away or choose another place.")
        }
        if version > self.version {
            throw .newerFormat(found: version, supported: self.version)
        }
        if version < 1 {
            throw .damaged("\(path) says nothing of its format; put a backup back.")
        }
    }

    /// The version that an open database has; throws `foreign` or `newerFormat`.
    func version(of database: Database, path: String) throws(StorageError) -> Int {
        let id = try database.first("PRAGMA application_id") { $0.integer(0) } ?? 0
        let version = Int(try database.first("PRAGMA user_version") { $0.integer(0) } ?? 0)
        try check(applicationID: UInt32(truncatingIfNeeded: id), version: version, path: path)
        return version
    }
}
