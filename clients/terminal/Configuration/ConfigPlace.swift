internal import Glibc
internal import ProgramArguments

/// Where the configuration is, by the rules of XDG.
enum ConfigPlace {
    /// `nil`: neither variable says where this user's files are.
    static func file(_ environment: (String) -> String?) -> String? {
        if let folder = environment("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
            return folder + "/samelist/config"
        }
        return environment("HOME").map { $0 + "/.config/samelist/config" }
    }

    /// A file that is not there says nothing.
    static func read(_ file: String) throws(Failure) -> ConfigFile {
        if let bytes = Folder.bytes(of: file) {
            return ConfigFile(String(decoding: bytes, as: UTF8.self))
        }
        guard errno == ENOENT || errno == ENOTDIR else {
            throw .usage("cannot read \(masked(file)): \(String(cString: strerror(errno))).")
        }
        return ConfigFile()
    }

    /// Where the file is a link, what it points to is written.
    static func write(_ config: ConfigFile, to file: String) throws(Failure) {
        var path = file
        if let real = realpath(file, nil) {
            path = String(cString: real)
            free(real)
        }
        let failure = Folder.make(
            String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
        guard Folder.replace(path, with: Array(config.text.utf8)) else {
            let why = String(cString: strerror(failure ?? errno))
            throw Failure(.refused, "state_failed", "cannot write \(masked(path)): \(why).")
        }
    }
}
