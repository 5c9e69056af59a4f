/// A flag that the program knows.
struct Flag: Sendable {
    let name: String
    var letter: Character?
    /// What its value is called in the help; `nil`: it takes none.
    var value: String?

    static let listen = Flag(name: "listen", value: "HOST:PORT")
    static let data = Flag(name: "data", value: "FOLDER")
    static let history = Flag(name: "history", value: "N|AGE|all")
    static let logLevel = Flag(name: "log-level", value: "LEVEL")
    static let help = Flag(name: "help", letter: "h")
    static let version = Flag(name: "version")

    static let all = [listen, data, history, logLevel, help, version]
}
