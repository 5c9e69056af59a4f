internal import Glibc

/// Makes a new database beside its place and moves it there once it is whole, so that a crash
/// leaves either nothing or an empty database, never a beginning of one.
struct DatabaseDraft {
    let path: String
    let format: DatabaseFormat

    private var draft: String { path + ".new" }

    /// To be called under the file's lock, with nothing at `path`.
    func make() throws(StorageError) {
        clear()
        do throws(StorageError) {
            try fill()
            try flush(draft)
            if rename(draft, path) != 0 { throw .systemCall("\(path) could not be made") }
            try flush(folder(of: path))
        } catch {
            clear()
            throw error
        }
    }

    private func fill() throws(StorageError) {
        if File(draft, O_RDWR | O_CREAT | O_EXCL) == nil {
            throw .systemCall("\(draft) could not be made")
        }
        let database = try Database(draft, .ordinary)
        try database.run("PRAGMA journal_mode = MEMORY")
        try database.run("PRAGMA application_id = \(format.applicationID)")
        try database.run("PRAGMA user_version = \(format.version)")
        try database.transaction { () throws(StorageError) in
            try database.run(Stamp.schema)
            try database.run("INSERT INTO stamp VALUES (1, ?)", .bytes(Stamp(after: nil).bytes))
            for table in format.schema { try database.run(table) }
        }
        try database.run("PRAGMA journal_mode = WAL")
    }

    private func clear() {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(draft + suffix) }
    }
}
