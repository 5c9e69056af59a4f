internal import Glibc

/// Lets so much time pass.
func rest(milliseconds: Int32) {
    poll(nil, 0, milliseconds)
}

/// Lets time pass until then.
func rest(until moment: Moment) {
    let left = moment.nanoseconds(since: .now)
    rest(milliseconds: Int32(clamping: (left + 999_999) / 1_000_000))
}

extension OwnServer {
    /// Where a program that was built with this one is.
    static func besideThisProgram(_ name: String) -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let bytes = buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
        let path = String(decoding: bytes, as: UTF8.self)
        let folder = path.lastIndex(of: "/").map { path[..<$0] } ?? "."
        return "\(folder)/\(name)"
    }

    /// Removes a folder that was made here, with all that is in it.
    static func remove(_ folder: String) {
        guard let entries = opendir(folder) else { return }
        while let entry = readdir(entries) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name != ".", name != ".." else { continue }
            let path = "\(folder)/\(name)"
            if unlink(path) != 0 { remove(path) }
        }
        closedir(entries)
        rmdir(folder)
    }
}
