internal import Glibc
internal import ListModel
internal import ListReplica
internal import Samelist

/// What this user's verbs did to a list, newest last, so that a later `samelist undo` can take it
/// back. Shells and screens have their own undo, which ends with them.
///
/// One process has it at a time; a file a list, a line a step, under `FOLDER/SERVER/NAME/undo`.
final class UndoFile {
    private let path: String
    private let lock: Int32
    private let client: ClientID

    /// Steps kept, and what they may take; the oldest go first.
    private static let most = 100
    private static let mostBytes = 1 << 20

    /// Waits until no other process has it. `nil`: this user's folder cannot be written.
    init?(_ name: ListName, _ settings: Settings, client: ClientID) {
        let folder =
            ClientIdentity.folder(
                in: settings.folder, server: settings.server, name: settings.name) + "/undo"
        Folder.make(folder)
        path = "\(folder)/\(name)"
        self.client = client
        lock = open(folder + "/.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { return nil }
        while flock(lock, LOCK_EX) != 0 { guard errno == EINTR else { return nil } }
    }

    deinit { if lock >= 0 { close(lock) } }

    /// Whatever cannot be read is not there.
    var steps: [KeptStep] {
        (Folder.bytes(of: path) ?? []).split(separator: UInt8(ascii: "\n")).compactMap {
            KeptStep(encoded: Array($0))
        }
    }

    func keep(_ steps: [KeptStep]) {
        var lines: [[UInt8]] = []
        var bytes = 0
        for step in steps.suffix(Self.most).reversed() {
            let line = step.encoded(by: client) + [UInt8(ascii: "\n")]
            bytes += line.count
            if bytes > Self.mostBytes { break }
            lines.append(line)
        }
        if lines.isEmpty {
            unlink(path)
        } else {
            Folder.replace(path, with: Array(lines.reversed().joined()))
        }
    }

    /// New work behind what was there: there is nothing to be done again any more. Work that is too
    /// much for one step, or whose way back is not known, stands in the way of what was before it.
    func add(_ done: [KeptStep], isWhole: Bool) {
        guard let step = KeptStep(joining: done), isWhole,
            step.operations.count <= Limits().operations
        else { return keep([]) }
        keep(steps.filter { !$0.isRedo && $0.epoch == step.epoch } + [step])
    }
}
