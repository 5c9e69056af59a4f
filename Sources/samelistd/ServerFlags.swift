internal import ProgramArguments

/// The flags that the server knows.
extension Flag {
    static let listen = Flag(
        "listen", value: "HOST:PORT",
        summary: "where it listens (127.0.0.1:7420); other machines' addresses need tokens and TLS")
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
    static let logFormat = Flag(
        "log-format", value: "FORMAT", summary: "logfmt or json, an event a line (logfmt)")
    static let metrics = Flag(
        "metrics", value: "HOST:PORT",
        summary: "answer /metrics here, without TLS and tokens, to keep it from clients")
    static let config = Flag(
        "config", value: "FILE",
        summary: "the configuration file (\(ServerConfig.usualFile), if there)")
    static let certificate = Flag(
        "tls-cert", value: "FILE", summary: "the certificate and its chain, in PEM, for wss")
    static let key = Flag("tls-key", value: "FILE", summary: "the key of the certificate, in PEM")
    static let insecure = Flag(
        "insecure", summary: "listen for other machines without TLS, behind a proxy that has it")
    static let origins = Flag(
        "origin", value: "URL,…",
        summary: "pages of these origins, spelt exactly, may connect from a browser")
    static let signingKey = Flag(
        "jwt-key", value: "FILE",
        summary: "take tokens of an identity provider (JWT): its public key in PEM, or the secret")
    static let signingAlgorithm = Flag(
        "jwt-alg", value: "ALG", summary: "how they are signed: HS256, RS256 or ES256, no other")
    static let issuer = Flag("jwt-issuer", value: "TEXT", summary: "who must have issued them")
    static let audience = Flag("jwt-audience", value: "TEXT", summary: "for whom they must be")

    static let limit = Flag(
        "limit", value: "NAME=NUMBER,…",
        summary: "other bounds than the usual ones; samelistd help limits lists them")

    static let to = Flag("to", value: "FILE", summary: "the new file that backup writes")
    static let from = Flag("from", value: "FILE", summary: "the backup that restore reads")
    static let force = Flag(
        "force", summary: "restore replaces a folder that holds something, and keeps it beside")

    static let toExport = Flag(
        "to", value: "FILE|-", summary: "the new file that export writes; - is standard output")
    static let fromExport = Flag(
        "from", value: "FILE|-", summary: "the export that import reads; - is standard input")
    static let only = Flag(
        "list", value: "PATTERN,…",
        summary: "these lists alone: names, in which * stands for anything")
    static let ofTenant = Flag("tenant", value: "NAME", summary: "lists of this tenant alone")
    static let living = Flag("living", summary: "leave out what was deleted")
    static let newName = Flag(
        "as", value: "NAME", summary: "the name that the list gets, of which there must be one")
    static let replace = Flag(
        "force", summary: "a list that is there gets the rows of the export instead of its own")

    static let json = Flag("json", summary: "as JSON, for programs")
    static let once = Flag("once", summary: "print it once, after a second")

    static let named = Flag("name", value: "NAME", summary: "whose token it is; all work under it")
    static let list = Flag(
        "list", value: "PATTERN,…",
        summary: "for which lists: names, in which * stands for anything")
    static let rights = Flag(
        "rights", value: "RIGHT",
        summary: "read (see rows, history, who is there), write (change rows too) or own (make, "
            + "describe and delete lists too)")
    static let expires = Flag(
        "expires", value: "AGE|never", summary: "how long it holds: 45s, 90m, 12h, 30d (90d)")
    static let tenant = Flag(
        "tenant", value: "NAME", summary: "whose lists they are; tenants' lists never meet")

    static let ofServe = [config] + Setting.all.map(\.flag)
    static let ofToken = [config, data, named, list, rights, expires, tenant]

    static let all =
        ofServe + [
            to, from, force, living, newName, json, once, named, list, rights, expires, tenant,
            help, version,
        ]
}
