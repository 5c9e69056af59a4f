internal import Glibc

/// A database of an older format has become one of this program's.
package struct Migration: Equatable, Sendable {
    package let from: Int
    package let to: Int
    /// Where the file is as it was; `nil`: it was not to be kept.
    package let kept: String?
}

/// A whole copy of an open database beside it, of the same owner, under a name that nobody else
/// uses; whoever holds the database's lock may replace one that a crash left.
struct VacuumedCopy {
    /// Of the database.
    private let path: String
    private let name: String

    init(of path: String, named name: String) {
        self.path = path
        self.name = name
    }

    /// Answers its name; where it throws, nothing is left of it.
    func make(from database: Database) throws(StorageError) -> String {
        clear()
        do throws(StorageError) {
            guard let file = File(name, O_RDWR | O_CREAT | O_EXCL) else {
                throw .systemCall("\(name) could not be made")
            }
            var status = stat()
            if stat(path, &status) == 0 {
                _ = fchown(file.descriptor, status.st_uid, status.st_gid)
            }
            try database.run("VACUUM INTO ?", .text(name))
            try flush(name)
            return name
        } catch {
            clear()
            throw error
        }
    }

    private func clear() {
        for suffix in ["", "-journal"] { unlink(name + suffix) }
    }
}

/// What is kept of a database before it becomes one of a later format: private to its owner.
struct OldFormatCopy {
    private let path: String
    /// `samelist.db.before-v2`
    private let name: String

    init(of path: String, before version: Int) {
        self.path = path
        name = "\(path).before-v\(version)"
    }

    /// Answers where it is.
    func make(from database: Database, _ stamp: Stamp) throws(StorageError) -> String {
        let place = freeName(stamp)
        let draft = try VacuumedCopy(of: path, named: name + ".new").make(from: database)
        guard rename(draft, place) == 0 else {
            let error = StorageError.systemCall("\(place) could not be made")
            unlink(draft)
            throw error
        }
        try flush(folder(of: path))
        return place
    }

    /// Replaces nothing but what an attempt that was killed has left of this same state.
    private func freeName(_ stamp: Stamp) -> String {
        var place = name
        var count = 1
        while FileKind(place) != .missing, !isOurs(place, stamp) {
            count += 1
            place = "\(name).\(count)"
        }
        return place
    }

    private func isOurs(_ place: String, _ stamp: Stamp) -> Bool {
        guard let copy = try? Database(place, .immutable),
            let bytes = try? copy.first("SELECT bytes FROM stamp", read: { $0.bytes(0) }),
            let found = Stamp(bytes: bytes)
        else { return false }
        return [stamp.token, stamp.before].contains(found.token)
    }
}
