internal import CSQLite
internal import Glibc

/// The data folder that a copy is put into: locked from before it is looked at until the lists are
/// there, so that no server runs in it meanwhile.
final class RestoreTarget {
    /// Where the folder really is, if its name is that of a symbolic link.
    let folder: String
    /// It holds nothing; so it can be filled as it is.
    let isEmpty: Bool

    private let isNew: Bool
    private let hadLock: Bool
    private let lock: FileLock

    /// Makes the folder if there is none. Throws `inUse` where a server runs.
    init(_ name: String, replacing: Bool) throws(StorageError) {
        let folder = isLink(name) ? resolved(name) : name
        isNew = FileKind(folder) == .missing
        // Looked at before a lock file is put into what may be no data folder at all.
        guard replacing || isNew || isUnused(folder) else { throw Self.notEmpty(folder) }
        try makeFolder(folder)
        let lockPath = Self.lockPath(in: folder)
        hadLock = FileKind(lockPath) != .missing
        lock = try FileLock(lockPath)
        isEmpty = isUnused(folder)
        self.folder = folder
        if !replacing, !isEmpty { throw Self.notEmpty(folder) }
    }

    /// Takes back what was made.
    func giveUp() {
        if !hadLock { unlink(Self.lockPath(in: folder)) }
        if isNew { rmdir(folder) }
    }

    /// Puts a draft's database into the empty folder.
    func fill(from draft: String) throws(StorageError) {
        guard isUnused(folder) else { throw Self.notEmpty(folder) }
        giveOwner(to: [draft + "/samelist.db", Self.lockPath(in: folder)])
        try giveNewName(draft + "/samelist.db", folder + "/samelist.db")
        removeDraft(draft)
        try flush(folder)
    }

    /// Makes an empty folder beside this one, or says that the two could not change hands.
    func makeDraft(_ draft: String) throws(StorageError) {
        var reason = "it is where this program runs"
        if !["", ".", ".."].contains(folder.split(separator: "/").last ?? "") {
            if mkdir(draft, 0o700) == 0 {
                // Never done, since the folder holds something; but what stands in the way is told
                // before that.
                if rename(draft, folder) != 0, errno == ENOTEMPTY || errno == EEXIST { return }
                reason = errno == EBUSY ? "it is a mount point" : String(cString: strerror(errno))
                rmdir(draft)
            } else {
                reason = "beside it: " + String(cString: strerror(errno))
            }
        }
        throw .failed(
            "\(folder) cannot be put aside (\(reason)); restore into a new folder, or move away "
                + "what it holds and restore into it then.")
    }

    /// Puts a draft in the folder's place, under a lock of its own before it is there. Answers
    /// where the old one is.
    func exchange(with draft: String, keptAs kept: String) throws(StorageError) -> String {
        let lock = try FileLock(draft + "/samelist.db.lock")
        defer { withExtendedLifetime(lock) {} }
        giveOwner(to: filesOfFolder.map { draft + "/" + $0 })
        var status = stat()
        if stat(folder, &status) == 0 {
            _ = chown(draft, status.st_uid, status.st_gid)
            chmod(draft, status.st_mode & 0o7777)
        }
        try flush(draft)
        guard samelist_exchange_names(draft, folder) == 0 else {
            throw .systemCall("\(folder) could not be put aside; the lists are in \(draft)")
        }
        try flush(Storage.folder(of: folder))
        guard rename(draft, kept) == 0 else { return draft }
        try flush(Storage.folder(of: folder))
        return kept
    }

    /// The files are of whom the lists were of, as far as this user may give them away: a server
    /// need not run as who restores.
    private func giveOwner(to files: [String]) {
        var status = stat()
        let isKnown =
            stat(folder + "/samelist.db", &status) == 0
            || hadLock && stat(Self.lockPath(in: folder), &status) == 0
            || stat(folder, &status) == 0
        if !isKnown { return }
        for file in files { _ = chown(file, status.st_uid, status.st_gid) }
    }

    private static func lockPath(in folder: String) -> String {
        resolved(folder + "/samelist.db") + ".lock"
    }

    private static func notEmpty(_ folder: String) -> StorageError {
        .failed("\(folder) is not empty; with --force it is put aside.")
    }
}

extension DatabaseCopy {
    /// Makes `folder` hold the lists of a copy, as `change` leaves them, and the tokens it had;
    /// what it held before is kept beside it, under the name that is answered. At every moment
    /// `folder` is whole, as it was or as it will be; a crash may leave the other one as a draft,
    /// beside it or, if there was nothing, within it.
    ///
    /// - Parameter word: makes the names of draft and old folder unlike any other.
    package static func restore(
        _ file: String, to folder: String, replacing: Bool, word: String,
        verify: (_ copy: String) throws(StorageError) -> Void,
        _ change: (SQLiteLogStorage) throws(StorageError) -> Void
    ) throws(StorageError) -> String? {
        guard try DatabaseCheck(path: file, format: .lists).run() != nil else {
            throw .failed("There is no \(file).")
        }
        let target = try RestoreTarget(folder, replacing: replacing)
        defer { withExtendedLifetime(target) {} }
        let draft = target.folder + (target.isEmpty ? "/" + draftName : ".restoring-" + word)
        do throws(StorageError) {
            if target.isEmpty {
                removeDraft(draft)
                try makeFolder(draft)
            } else {
                try target.makeDraft(draft)
            }
            try fill(draft, from: file, verify, change)
            if target.isEmpty {
                try target.fill(from: draft)
            } else {
                // Those of the copy's time would bring back what was revoked since; it holds none.
                try SQLiteTokenStorage.copy(from: target.folder, to: draft)
            }
        } catch {
            removeDraft(draft)
            target.giveUp()
            throw error
        }
        if target.isEmpty { return nil }
        return try target.exchange(with: draft, keptAs: target.folder + ".before-" + word)
    }

    private static func fill(
        _ draft: String, from file: String, _ verify: (String) throws(StorageError) -> Void,
        _ change: (SQLiteLogStorage) throws(StorageError) -> Void
    ) throws(StorageError) {
        let path = draft + "/samelist.db"
        guard File(path, O_RDWR | O_CREAT | O_EXCL) != nil else {
            throw .systemCall("\(path) could not be made")
        }
        try copy(file, .looking(at: file), to: path)
        try verify(path)
        // The copy itself is what is kept of an older format.
        let storage = try SQLiteLogStorage.open(folder: draft, keepsOldFormat: false)
        defer { storage.close() }
        try change(storage)
    }
}

/// Of a draft within an empty folder; whoever holds the folder's lock may remove one.
private let draftName = "restoring"

/// What this program puts into a data folder; logs of the databases apart.
private let filesOfFolder = ["samelist.db", SQLiteTokenStorage.fileName].flatMap {
    [$0, $0 + ".lock", $0 + ".turn"]
}

/// Removes a draft's folder with what is in it.
private func removeDraft(_ draft: String) {
    for file in filesOfFolder {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(draft + "/" + file + suffix) }
    }
    rmdir(draft)
}

private func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
}

/// True for a folder that holds nothing but a lock file, what file systems put into their roots,
/// and a draft.
private func isUnused(_ folder: String) -> Bool {
    guard let entries = opendir(folder) else { return false }
    defer { closedir(entries) }
    while let entry = readdir(entries) {
        let found = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        let expected = [".", "..", "lost+found", "samelist.db.lock", draftName]
        if !expected.contains(found) { return false }
    }
    return true
}
