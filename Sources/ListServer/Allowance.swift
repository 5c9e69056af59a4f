internal import ListModel

/// How much one connection may say: ten seconds' worth of each rate at once, refilled all the time.
///
/// Who spends more than there is has what was asked for, but nothing more before that is made up
/// for; so a message that is larger than all of it can be sent, too.
struct Allowance {
    private var messages: Budget
    private var edits: Budget
    private var bytes: Budget
    /// Questions that were refused since it was last within its rates.
    private var refused = 0

    /// Questions in a row that are refused before the connection is closed.
    static let patience = 100
    /// When a connection that said too much may come back, in milliseconds.
    static let retry: Int64 = 5_000

    /// - Parameter now: in milliseconds, on a clock that never goes back.
    init(_ limits: Limits, at now: UInt64) {
        messages = Budget(limits.messagesPerSecond, at: now)
        edits = Budget(limits.editsPerSecond, at: now)
        bytes = Budget(limits.bytesPerSecond, at: now)
    }

    mutating func read(_ count: Int, at now: UInt64) -> Bool { bytes.spend(count, at: now) }

    /// A message has come; which of the rates it is beyond, if any.
    mutating func spend(isEdit: Bool, at now: UInt64) -> Excess? {
        guard messages.spend(1, at: now) else { return .messages }
        guard !isEdit || edits.spend(1, at: now) else { return .edits }
        refused = 0
        return nil
    }

    /// Whether another question may be refused; else it is too much.
    mutating func forgives() -> Bool {
        refused += 1
        return refused < Self.patience
    }

    enum Excess {
        case messages, edits
    }

    private struct Budget {
        private let rate: Double
        private var left: Double
        private var at: UInt64

        init(_ rate: Int, at now: UInt64) {
            self.rate = Double(rate)
            left = 10 * self.rate
            at = now
        }

        /// False: nothing is left, and nothing was spent.
        mutating func spend(_ amount: Int, at now: UInt64) -> Bool {
            left = min(10 * rate, left + rate * Double(now - at) / 1_000)
            at = now
            guard left > 0 else { return false }
            left -= Double(amount)
            return true
        }
    }
}
