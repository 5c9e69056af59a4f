internal import ListModel
internal import ListProtocol

/// One list of a run, with all that its clients share: what they have got is compared with this.
final class Lane {
    let list: ListName
    var log: SharedLog
    var snapshots: SharedSnapshots
    var deliveries = Deliveries()
    /// That of the list; another one would mean that its log was replaced.
    var epoch: Epoch?
    /// Who made the list and filled it, and has it open from its first entry on.
    let keeper: SimulatedClient
    /// Clients that have it open, the keeper among them.
    var readers: [SimulatedClient] = []
    /// The edit that everybody is to have before the next one is written, and who lacks it.
    var awaited: (version: UInt64, lacking: Int)?

    init(list: ListName, keeper: SimulatedClient) {
        self.list = list
        self.keeper = keeper
        log = SharedLog(list: list)
        snapshots = SharedSnapshots(list: list)
    }

    /// The last entry that every reader has.
    var common: UInt64 { readers.reduce(log.head) { min($0, $1.cursor) } }

    /// The last entry that everybody has whose deliveries are timed.
    var timed: UInt64 {
        readers.reduce(log.head) {
            $1.since != nil && !$1.isSlow ? min($0, $1.cursor) : $0
        }
    }
}
