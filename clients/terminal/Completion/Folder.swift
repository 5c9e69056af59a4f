internal import Glibc

/// Small files of this user's own.
enum Folder {
    /// Makes a folder, and those above it, for this user alone. The error's number, where the last
    /// one cannot be made.
    @discardableResult
    static func make(_ folder: String) -> Int32? {
        var path = ""
        var why: Int32?
        for part in folder.split(separator: "/") {
            path += "/" + part
            why = mkdir(path, 0o700) == 0 || errno == EEXIST ? nil : why ?? errno
        }
        return why
    }

    /// A path that means the same from everywhere.
    static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let here = getcwd(nil, 0) else { return path }
        defer { free(here) }
        return String(cString: here) + "/" + path
    }

    static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    /// All that a file holds; `nil`: it cannot be read.
    static func bytes(of file: String) -> [UInt8]? {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return bytes(from: descriptor)
    }

    static func bytes(from descriptor: Int32) -> [UInt8]? {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &part, part.count)
            if count > 0 {
                bytes.append(contentsOf: part[..<count])
            } else if count == 0 {
                return bytes
            } else if errno != EINTR {
                return nil
            }
        }
    }

    /// Puts a whole file in the place of the old one, for this user alone. False: it failed, and
    /// the old one is as it was.
    @discardableResult
    static func replace(_ file: String, with bytes: [UInt8]) -> Bool {
        let new = "\(file).\(getpid())"
        // Hidden while it is not whole.
        let slash = new.lastIndex(of: "/") ?? new.startIndex
        let hidden = new[...slash] + "." + new[new.index(after: slash)...]
        let descriptor = open(String(hidden), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        let why = StandardStreams.writeAll(bytes, to: descriptor)
        let isWhole = close(descriptor) == 0 && why == nil
        if isWhole, rename(String(hidden), file) == 0 { return true }
        unlink(String(hidden))
        return false
    }
}
