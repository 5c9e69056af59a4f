internal import Glibc

/// A token as it is kept: never itself, only what proves it.
package struct StoredToken: Hashable, Sendable {
    /// By which people name it; no secret.
    package let id: String
    package let hash: [UInt8]
    package let name: String
    /// Empty: none.
    package let tenant: String
    /// `PATTERN:RIGHT`, with commas between.
    package let grants: String
    /// Milliseconds since 1970; 0 as `expires` or `revoked`: never.
    package let created: Int64
    package let expires: Int64
    package internal(set) var revoked: Int64

    package init(
        id: String, hash: [UInt8], name: String, tenant: String, grants: String, created: Int64,
        expires: Int64, revoked: Int64 = 0
    ) {
        self.id = id
        self.hash = hash
        self.name = name
        self.tenant = tenant
        self.grants = grants
        self.created = created
        self.expires = expires
        self.revoked = revoked
    }
}

/// The server's tokens: one SQLite file, `tokens.db`, beside the lists, which no backup of the
/// lists holds.
///
/// Nobody keeps it open. Whoever changes it has it for that moment alone; who only reads it looks
/// at its stamp as often as it likes, and reads it whole when that has changed.
package enum SQLiteTokenStorage {
    package static let fileName = "tokens.db"

    /// Of what stands on the disk, without reading it. Two that are equal are of the same tokens.
    package struct Stamp: Equatable, Sendable {
        private let parts: [Int64]

        package init(folder: String) {
            parts = ["", "-wal"].flatMap { suffix -> [Int64] in
                var status = stat()
                guard stat(Self.path(folder) + suffix, &status) == 0 else { return [] }
                return [
                    Int64(bitPattern: UInt64(status.st_ino)), Int64(status.st_size),
                    Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec),
                ]
            }
        }

        /// Whether it may not be the last one that looks like this, at a time in milliseconds.
        package func isYoung(at now: Int64) -> Bool {
            stride(from: 2, to: parts.count, by: 4).contains { now / 1_000 - parts[$0] < 3 }
        }

        private static func path(_ folder: String) -> String {
            folder + "/" + SQLiteTokenStorage.fileName
        }
    }

    /// All tokens that ever were, in the order in which they were made; `nil` where none ever was.
    /// Throws `inUse` while another process changes them, and what opening throws.
    package static func read(folder: String) throws(StorageError) -> [StoredToken]? {
        let path = folder + "/" + fileName
        guard mayBeThere(path) else { return nil }
        let turn = try FileLock(turnFile(folder))
        defer { withExtendedLifetime(turn) {} }
        return try tokens(in: try DatabaseFile(lookingAt: path, .tokens))
    }

    /// Adds a token. Makes the file, and the folder, where there is none.
    package static func add(_ token: StoredToken, folder: String) throws(StorageError) {
        try makeFolder(folder)
        try insert([token], into: folder)
    }

    /// Revokes those that `isMeant` chooses, for good; answers which were not before.
    package static func revoke(
        folder: String, at time: Int64, where isMeant: (StoredToken) -> Bool
    ) throws(StorageError) -> [StoredToken] {
        guard mayBeThere(folder + "/" + fileName) else { return [] }
        return try changing(folder) { file throws(StorageError) in
            let meant = try tokens(in: file).filter { $0.revoked == 0 && isMeant($0) }
            try file.write { database throws(StorageError) in
                for token in meant {
                    try database.run(
                        "UPDATE tokens SET revoked = ? WHERE id = ?", .integer(time),
                        .text(token.id))
                }
            }
            return meant
        }
    }

    /// Takes the tokens of one folder along to another, which has none.
    static func copy(from folder: String, to other: String) throws(StorageError) {
        guard let tokens = try read(folder: folder) else { return }
        try insert(tokens, into: other)
    }

    private static func insert(
        _ tokens: [StoredToken], into folder: String
    ) throws(StorageError) {
        try changing(folder) { file throws(StorageError) in
            try file.write { database throws(StorageError) in
                for token in tokens { try insert(token, into: database) }
            }
        }
    }

    private static func insert(
        _ token: StoredToken, into database: Database
    ) throws(StorageError) {
        try database.run(
            """
            INSERT INTO tokens (id, hash, name, tenant, grants, created, expires, revoked)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """, .text(token.id), .bytes(token.hash), .text(token.name), .text(token.tenant),
            .text(token.grants), .integer(token.created), .integer(token.expires),
            .integer(token.revoked))
    }

    /// Opens it for a change. Whoever else has it is done in a moment, so one waits for that.
    private static func changing<Answer>(
        _ folder: String, _ body: (DatabaseFile) throws(StorageError) -> Answer
    ) throws(StorageError) -> Answer {
        let turn = try FileLock(turnFile(folder), waits: true)
        defer { withExtendedLifetime(turn) {} }
        return try body(try DatabaseFile(folder + "/" + fileName, .tokens))
    }

    /// Whatever cannot be looked at counts as there: no token is lost by a fault of the disk.
    private static func mayBeThere(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 || (errno != ENOENT && errno != ENOTDIR)
    }

    /// Locked by whoever has the tokens open.
    private static func turnFile(_ folder: String) -> String { folder + "/" + fileName + ".turn" }

    private static func tokens(in file: DatabaseFile) throws(StorageError) -> [StoredToken] {
        var tokens: [StoredToken] = []
        try file.database.each(
            """
            SELECT id, hash, name, tenant, grants, created, expires, revoked FROM tokens
            ORDER BY rowid
            """
        ) { row throws(StorageError) in
            tokens.append(
                StoredToken(
                    id: row.text(0), hash: row.bytes(1), name: row.text(2), tenant: row.text(3),
                    grants: row.text(4), created: row.integer(5), expires: row.integer(6),
                    revoked: row.integer(7)))
            return true
        }
        return tokens
    }
}
