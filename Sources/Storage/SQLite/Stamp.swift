/// What ties a write-ahead log to its main file; SQLite itself would replay any log into any file.
///
/// The database's first table, on page 2, has one row with a random token and the one before it.
/// Each time the log begins anew, `DatabaseFile` draws a token in a transaction of its own,
/// which thereby is the log's first frame. A log belongs to a main file if that file's token is the
/// one before the log's first frame, or one of those inside the log (a checkpoint had begun):
///
///     main: A          log: [B after A] …          not copied yet
///     main: B          log: [B after A] …          copied, log not emptied yet
///     main: X          log: [B after A] …          another file's log, or an older one's: refused
struct Stamp: Equatable {
    /// Page of the table; the schema creates it first.
    static let page: UInt32 = 2

    static let schema = """
        CREATE TABLE stamp (
            id INTEGER PRIMARY KEY CHECK (id = 1), bytes BLOB NOT NULL) STRICT
        """

    private static let mark = Array("samelist stamp: ".utf8)

    let token: [UInt8]
    let before: [UInt8]

    /// A fresh token that follows another stamp's; the first of a file follows itself.
    init(after stamp: Stamp?) {
        var random = SystemRandomNumberGenerator()
        token = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
        before = stamp?.token ?? token
    }

    /// Reads what `bytes` made; `nil` if it is something else.
    init?(bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == 48, bytes.starts(with: Self.mark) else { return nil }
        token = Array(bytes[16..<32])
        before = Array(bytes[32..<48])
    }

    /// Finds the stamp in the raw page: a table leaf with one cell (SQLite file format, 1.6).
    init?(page: [UInt8]) {
        guard page.count >= 512, page[0] == 0x0d, page[3] == 0, page[4] == 1 else { return nil }
        let cell = Int(page[8]) << 8 | Int(page[9])
        // Payload size, row number, header of three bytes; the blob is the last of the cell.
        let blob = cell + 5
        guard blob + 48 <= page.count else { return nil }
        self.init(bytes: page[blob..<blob + 48])
    }

    var bytes: [UInt8] { Self.mark + token + before }
}
