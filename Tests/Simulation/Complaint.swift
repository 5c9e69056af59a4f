/// What a checker found wrong.
package struct Complaint: Sendable, CustomStringConvertible {
    package let checker: Checker
    package let sentence: String
    package var description: String { "\(checker.rawValue): \(sentence)" }
}

package enum Checker: String, Sendable {
    /// The log: dense, in time, each mutation once.
    case log
    /// What a connection is sent: each entry once, in order.
    case wire
    /// Each replica against the log, at every version.
    case replica
    /// Each outcome once, and true.
    case outcome
    /// What editors are told, against the model.
    case editor
    /// Rows, against the list filtered and sorted.
    case view
    /// What must survive a crash.
    case survival
    /// What a commit or an undo may write.
    case consent
    case presence
    /// All in step soon after the last fault.
    case convergence
    case liveLock = "live-lock"
}

/// A number over all that happened in a run: the same run, the same number, on every machine
/// (FNV-1a, eight bytes at a time).
struct Trace {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ number: UInt64) { value = (value ^ number) &* 0x100_0000_01b3 }

    mutating func add(_ text: String) {
        for byte in text.utf8 { add(UInt64(byte)) }
    }
}
