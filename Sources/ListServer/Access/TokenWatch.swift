internal import ListModel
internal import Storage

/// Looks whether the tokens of a folder have changed. Used on the storage's thread, once the server
/// runs.
final class TokenWatch: @unchecked Sendable {
    // because it is handed to the storage's thread when that starts, and used there alone.

    enum News: Sendable {
        case nothing
        case tokens([StoredToken])
        /// Why they cannot be read; told once for each change.
        case unreadable(String)
    }

    private let folder: String
    private var stamp: SQLiteTokenStorage.Stamp?
    private var tokens: [StoredToken]?

    init(folder: String) { self.folder = folder }

    /// Cost: two questions to the file system, where nothing has changed.
    func news() -> News {
        // Before reading: what changes meanwhile is read next time.
        let now = SQLiteTokenStorage.Stamp(folder: folder)
        // Two changes may stand at one time of the file system's clock.
        guard now != stamp || now.isYoung(at: WallClock.now.milliseconds) else { return .nothing }
        do throws(StorageError) {
            let read = try SQLiteTokenStorage.read(folder: folder)
            stamp = now
            guard let read, read != tokens else { return .nothing }
            tokens = read
            return .tokens(read)
        } catch .inUse {
            return .nothing
        } catch {
            stamp = now
            return .unreadable(error.description)
        }
    }
}
