internal import Dispatch
internal import Glibc
internal import ListModel

/// The user's own editor on a text in a file, which stays there until what it says is saved.
struct OutsideEditor: Sendable {
    /// As the user's shell would run it.
    private let command: String
    /// Where the files are.
    private let folder: String

    /// - Parameter folder: the client's state, where files outlive the machine's next start.
    init(folder: String) {
        let variables = ["VISUAL", "EDITOR"].compactMap(StandardStreams.environment)
        command = variables.first ?? "vi"
        self.folder = folder + "/edit"
    }

    /// A name that no file has yet: what an earlier one holds may be all that is left of a text.
    func file(of id: ElementID, in list: ListName) -> String {
        let name = id.text.utf8.map { byte -> String in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D: String(UnicodeScalar(byte))
            default: "_" + String(byte, radix: 16)
            }
        }
        let stem = "\(folder)/\(list)-\(name.joined())"
        let names = [stem + ".txt"] + (2...1_000).lazy.map { "\(stem)-\($0).txt" }
        return names.first { access($0, F_OK) != 0 } ?? stem + ".txt"
    }

    /// Writes the text into a new file. False: it cannot be written.
    func prepare(_ file: String, _ text: String) -> Bool {
        mkdir(folder, 0o700)
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let bytes = Array((text + "\n").utf8)
        return write(descriptor, bytes, bytes.count) == bytes.count
    }

    /// Runs the editor to its end. False: it failed.
    func run(_ file: String) async -> Bool {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "editor").async {
                continuation.resume(returning: self.spawn(file))
            }
        }
    }

    /// What the file holds, without the line break that editors put behind the last line.
    func text(in file: String) -> String? {
        let descriptor = open(file, O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &part, part.count)
            guard count > 0 else { break }
            bytes.append(contentsOf: part[..<count])
        }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// In a process that gets the signals of the terminal as any other: this thread may have them
    /// blocked.
    private func spawn(_ file: String) -> Bool {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var usual = sigset_t()
        sigemptyset(&usual)
        sigaddset(&usual, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let words = ["sh", "-c", command + " \"$1\"", "sh", file]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        var child: pid_t = 0
        guard posix_spawn(&child, "/bin/sh", nil, &attributes, arguments, environ) == 0 else {
            return false
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 { if errno != EINTR { return false } }
        return status == 0
    }
}
