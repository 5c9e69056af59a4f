/// Why storage did not do what it was asked; `description` is a sentence that says what to do.
///
/// The first five answer the caller's own call and mean that nothing changed. The next five come
/// only from opening: the files are as they were. `failed` is the environment's fault; the same
/// call works again once the cause is gone. After `damaged` from a read, the list is not usable.
package enum StorageError: Error, Equatable, Sendable {
    /// A list of this name exists already.
    case exists
    /// No list has this name.
    case noSuchList
    /// The log's head is not where the caller took it to be.
    case conflict(head: UInt64)
    /// The log no longer reaches back that far; `first` is the oldest version it holds.
    case trimmed(first: UInt64)
    /// Trimming would remove what the stored snapshot (0: none) does not cover.
    case trimBeyondSnapshot(version: UInt64)
    /// Another process, or another part of this one, has the files open.
    case inUse(path: String)
    /// A newer version of the program wrote this file.
    case newerFormat(found: Int, supported: Int)
    /// The file is there and cannot be trusted.
    case damaged(String)
    /// The file belongs to another program or another part of this one.
    case foreign(String)
    /// A write-ahead log lies where its main file does not.
    case strayLog(String)
    /// Disk full, input/output error and their like; nothing was half-written.
    case failed(String)
    /// `close` was called before.
    case closed
}

extension StorageError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .exists: "A list of this name exists already; choose another name."
        case .noSuchList: "No list has this name; create it first."
        case .conflict(let head): "The log is at version \(head); resolve again from there."
        case .trimmed(let first):
            "The log reaches back to version \(first) only; start from the snapshot."
        case .trimBeyondSnapshot(let version):
            "The stored snapshot is at version \(version); save a later one before trimming."
        case .inUse(let path):
            "Another process is using \(path); stop it, or choose another place."
        case .newerFormat(let found, let supported):
            "The database has format \(found), and this program knows formats up to \(supported); "
                + "use the version of the program that wrote it, or a newer one."
        case .damaged(let sentence), .foreign(let sentence), .strayLog(let sentence),
            .failed(let sentence):
            sentence
        case .closed: "The storage has been closed; open it again."
        }
    }
}
