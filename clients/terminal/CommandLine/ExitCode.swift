/// How the program ends; the numbers are part of what scripts rely on (design.md, section 5).
enum ExitCode: Int32, CaseIterable, Sendable {
    case done = 0
    /// No match, refused or skipped.
    case refused = 1
    case usage = 2
    case unreachable = 3
    case notAllowed = 4
    /// What it was about is gone, or somebody else changed it first.
    case vanished = 5
    case timedOut = 6
    case interrupted = 130

    /// What the help says of it.
    var meaning: String {
        switch self {
        case .done: "done"
        case .refused: "no match, refused or skipped"
        case .usage: "wrong usage"
        case .unreachable: "server unreachable"
        case .notAllowed: "not allowed"
        case .vanished: "vanished or conflict"
        case .timedOut: "timed out"
        case .interrupted: "Ctrl-C"
        }
    }
}
