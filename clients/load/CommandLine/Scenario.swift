/// What kind of load.
enum Scenario: String, CaseIterable, Sendable {
    case fanOut = "fan-out"
    case write
    case mixed
    case join
    case comeBack = "come-back"
    case churn
    case slowReaders = "slow-readers"
    case storm
    case chaos

    /// For the help.
    var summary: String {
        switch self {
        case .fanOut: "few write, all read one list"
        case .write: "all write and read one list"
        case .mixed: "several lists; inserts, renames, moves, deletions, restores"
        case .join: "clients join a long list for the first time, one after another"
        case .comeBack: "clients go away and come back to what they missed, while others write"
        case .churn: "clients leave and new ones join, while others write"
        case .slowReaders: "some stop reading half-way; the others must not notice"
        case .storm: "everybody loses the connection at once and comes back"
        case .chaos: "kill -9 of the server, again and again, while all goes on"
        }
    }

    /// The scenario with what one would ask of it first.
    var defaults: Settings {
        var settings = Settings(scenario: self)
        switch self {
        case .fanOut: break
        case .write: settings.set(clients: 50, writers: 50, rate: 500)
        case .mixed:
            settings.set(clients: 200, writers: 20, rate: 200)
            settings.lists = 5
        case .join:
            settings.set(clients: 200, writers: 0, rate: 0)
            settings.rows = 10_000
            settings.joins = 20
        case .comeBack, .churn:
            settings.set(clients: 500, writers: 5, rate: 50)
            settings.rows = 1_000
            settings.joins = 50
        case .slowReaders:
            settings.set(clients: 200, writers: 1, rate: 50)
            settings.slow = 10
            settings.bytes = 1_000
        case .storm: settings.set(clients: 1_000, writers: 5, rate: 50)
        case .chaos: settings.set(clients: 50, writers: 10, rate: 100)
        }
        return settings
    }
}
