internal import CSQLite

/// One prepared statement, finalised with its last reference. Owned by its `Database` alone.
///
/// Order: `bind`, `step` until it answers false or enough is known, `reset`.
final class Statement {
    private let handle: OpaquePointer

    /// The connection, alive as long as this object: it finalises its statements before it closes.
    private let database: OpaquePointer

    init(_ sql: String, in database: OpaquePointer) throws(StorageError) {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(
            database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else {
            throw StorageError(code: code, in: database)
        }
        self.handle = handle
        self.database = database
    }

    deinit {
        sqlite3_finalize(handle)
    }

    func bind(_ values: [Value]) throws(StorageError) {
        for (offset, value) in values.enumerated() {
            let index = Int32(offset + 1)
            let code =
                switch value {
                case .integer(let number): sqlite3_bind_int64(handle, index, number)
                case .text(let text): bind(text, at: index)
                case .bytes(let bytes):
                    bytes.withUnsafeBytes {
                        samelist_bind_blob(handle, index, $0.baseAddress, UInt64($0.count))
                    }
                }
            if code != SQLITE_OK { throw StorageError(code: code, in: database) }
        }
    }

    /// Moves to the next row; false when there is none.
    func step() throws(StorageError) -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw StorageError(code: code, in: database)
    }

    /// Ends the statement's hold on the database; safe to repeat.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    func integer(_ column: Int32) -> Int64 {
        sqlite3_column_int64(handle, column)
    }

    /// A version or checksum; see `Value.bits`.
    func bits(_ column: Int32) -> UInt64 {
        UInt64(bitPattern: integer(column))
    }

    func bytes(_ column: Int32) -> [UInt8] {
        let start = sqlite3_column_blob(handle, column)
        return Array(
            UnsafeRawBufferPointer(
                start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }

    func text(_ column: Int32) -> String {
        String(decoding: bytes(column), as: UTF8.self)
    }

    private func bind(_ text: String, at index: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) {
                samelist_bind_text(handle, index, $0.baseAddress, UInt64($0.count))
            }
        }
    }
}
