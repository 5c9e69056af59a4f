/// One of the kinds of database this program writes, and how to recognise it.
struct DatabaseFormat {
    /// Stands in the file's header; no two kinds share it.
    let applicationID: UInt32
    /// Version of the schema; it also stands in the header and only ever grows.
    let version: Int
    /// The tables, after the stamp.
    let schema: [String]

    /// The server's lists: `samelist.db`.
    static let lists = DatabaseFormat(
        applicationID: 0x534c_4c47, version: 1,
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
        ])

    /// The server's tokens: `tokens.db`.
    static let tokens = DatabaseFormat(
        applicationID: 0x534c_544b, version: 1,
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
        applicationID: 0x534c_5354, version: 1,
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
}
