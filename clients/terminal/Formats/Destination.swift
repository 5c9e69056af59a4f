internal import Glibc

/// What stands at a path that is to be written, behind all symbolic links.
enum Destination: Equatable {
    /// A descriptor that is open already, such as `/dev/stdout` and `/dev/fd/3` name it.
    case descriptor(Int32)
    /// A device, a FIFO or a folder: never to be replaced.
    case special(String)
    /// A file that can be replaced.
    case file(String, Existing?)

    /// What the next file at its path is to have of it.
    struct Existing: Equatable {
        let mode: mode_t
        let owner: uid_t
        let group: gid_t
    }

    /// As many links as the kernel follows.
    private static let mostLinks = 40

    init(_ path: String) {
        var path = path
        for _ in 0..<Self.mostLinks {
            if let descriptor = Self.descriptor(path) {
                self = .descriptor(descriptor)
                return
            }
            guard let link = Self.link(at: path) else { break }
            path = link.hasPrefix("/") ? link : Self.folder(of: path) + "/" + link
        }
        var status = stat()
        if stat(path, &status) != 0 {
            self = .file(path, nil)
        } else if status.st_mode & S_IFMT == S_IFREG {
            let existing = Existing(
                mode: status.st_mode & 0o7777, owner: status.st_uid, group: status.st_gid)
            self = .file(path, existing)
        } else {
            self = .special(path)
        }
    }

    /// A link among our own descriptors leads to what is open there, which need not have a name.
    private static func descriptor(_ path: String) -> Int32? {
        guard let name = path.split(separator: "/").last, let number = Int32(name), number >= 0,
            let mine = real("/proc/self/fd"), real(folder(of: path)) == mine
        else { return nil }
        return number
    }

    private static func link(at path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func real(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }
}
