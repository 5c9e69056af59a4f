internal import ProgramArguments

/// The flags that the server knows.
extension Flag {
    static let listen = Flag(
        "listen", value: "HOST:PORT",
        summary: "where it listens (127.0.0.1:7420); for now this machine only")
    static let data = Flag(
        "data", value: "FOLDER", summary: "where the lists are (./samelist-data); made if missing")
    /// For the verbs that only read it.
    static let dataThere = Flag(
        "data", value: "FOLDER", summary: "where the lists are (./samelist-data)")
    static let history = Flag(
        "history", value: "N|AGE|all",
        summary: "how much of each log is kept for clients who come back: so many entries, those "
            + "of so long (45s, 90m, 12h, 30d), or all")
    static let logLevel = Flag(
        "log-level", value: "LEVEL",
        summary: "debug, info, warning or error, on standard error (info)")

    static let to = Flag("to", value: "FILE", summary: "the new file that backup writes")
    static let from = Flag("from", value: "FILE", summary: "the backup that restore reads")
    static let force = Flag(
        "force", summary: "restore replaces a folder that holds something, and keeps it beside")

    static let ofServe = [listen, data, history, logLevel]

    static let all = [listen, data, history, logLevel, to, from, force, help, version]
}
