/// How edits follow one another.
enum Pace: Equatable, Sendable {
    /// So many a second, all writers together, whatever becomes of them.
    case rate(Double)
    /// The next when every reader has the one before.
    case oneAtATime
    /// As many as the server takes, up to a window for each writer.
    case flatOut
}

/// What a run is to do.
struct Settings: Sendable {
    let scenario: Scenario
    var clients = 1_000
    var writers = 1
    /// Connections besides, with a list open in which nothing happens.
    var idle = 0
    var seconds = 10.0
    var pace = Pace.rate(20)
    /// Clients that come, a second.
    var joins = 0.0
    /// For how many seconds a client of `come-back` is away.
    var away = 2.0
    /// Of the text of an edit, and of a row.
    var bytes = 64
    var rows = 100
    var lists = 1
    /// Clients that stop reading.
    var slow = 0
    /// Edits without outcome of one writer, flat out.
    var window = 64
    /// Seconds between two kills.
    var killEvery = 3.0
    var presence = false
    /// `nil`: one that is started for the run.
    var server: GivenServer?
    /// The process of a given server, on this machine, whose CPU and memory are to be read.
    var process: Int32?
    /// Where a server that is started keeps its data; `nil`: in a folder that goes away.
    var folder: String?
    var isJSON = false
    var isQuiet = false
    var csv: String?
    var picture: String?
    var gates: [Gate] = []

    init(scenario: Scenario) {
        self.scenario = scenario
    }

    mutating func set(clients: Int, writers: Int, rate: Double) {
        self.clients = clients
        self.writers = writers
        pace = .rate(rate)
    }

    var paceWords: String {
        guard writers > 0 else { return "no edits" }
        switch pace {
        case .rate(let rate): return "\(Shown.number(rate)) edits/s"
        case .oneAtATime: return "one edit at a time"
        case .flatOut: return "edits as fast as they are taken"
        }
    }
}
