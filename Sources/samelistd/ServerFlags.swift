internal import ProgramArguments

/// The flags that the server knows.
extension Flag {
    static let listen = Flag("listen", value: "HOST:PORT")
    static let data = Flag("data", value: "FOLDER")
    static let history = Flag("history", value: "N|AGE|all")
    static let logLevel = Flag("log-level", value: "LEVEL")

    static let to = Flag("to", value: "FILE")
    static let from = Flag("from", value: "FILE")
    static let force = Flag("force")

    static let all = [listen, data, history, logLevel, to, from, force, help, version]
}
