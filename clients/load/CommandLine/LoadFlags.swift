internal import ProgramArguments

/// The flags that the load test knows.
extension Flag {
    static let clients = Flag("clients", value: "N", summary: "connections that read")
    static let writers = Flag("writers", value: "N", summary: "how many of them write, too")
    static let idle = Flag(
        "idle", value: "N", summary: "more connections, with another list open (0)")
    static let seconds = Flag(
        "seconds", value: "S",
        summary: "how long it goes on; what comes before and after is not timed")
    static let rate = Flag(
        "rate", value: "R",
        summary: "edits a second of all writers; `one`: the next when everybody has the one "
            + "before; `max`: as fast as they are taken")
    static let joins = Flag(
        "joins", value: "R", summary: "clients that come, a second (join, come-back, churn)")
    static let away = Flag(
        "away", value: "S", summary: "how long a client of come-back is away (2)")
    static let bytes = Flag("bytes", value: "N", summary: "text of an edit and of a row (64)")
    static let rows = Flag("rows", value: "N", summary: "rows of a list before it begins")
    static let lists = Flag("lists", value: "N", summary: "lists, each client in one of them")
    static let slow = Flag("slow", value: "N", summary: "clients that stop reading half-way")
    static let window = Flag(
        "window", value: "N", summary: "unanswered edits of a writer with --rate max (64)")
    static let killEvery = Flag(
        "kill-every", value: "S", summary: "time between two kills of chaos (3)")
    static let presence = Flag("presence", summary: "everybody says what they edit, and is told")
    static let server = Flag(
        "server", value: "URL", summary: "a server that runs already; else one is started")
    static let pid = Flag(
        "pid", value: "PID", summary: "its process, whose CPU time and memory are then told, too")
    static let allowRemote = Flag(
        "allow-remote", summary: "let --server be another machine. Load somebody else's never")
    static let folder = Flag(
        "folder", value: "FOLDER", summary: "for the data of a server that is started; stays")
    static let json = Flag("json", summary: "one JSON object instead of text")
    static let csv = Flag("csv", value: "FILE", summary: "a line a second into FILE")
    static let picture = Flag("picture", value: "FILE.svg", summary: "draw the run into FILE")
    static let failIf = Flag(
        "fail-if", value: "'FIGURE>LIMIT'",
        summary: "end with 99 if so, as 'delivery_p99>200ms'; may be given several times")
    static let quiet = Flag("quiet", letter: "q", summary: "no line a second, no text at the end")

    static let ofLoad = [
        clients, writers, seconds, rate, joins, bytes, rows, lists, idle, slow, away, killEvery,
        window, presence, server, pid, allowRemote, folder, json, csv, picture, failIf, quiet, help,
        version,
    ]
}
