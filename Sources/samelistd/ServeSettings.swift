internal import ListServer
internal import ProgramArguments

/// What `serve` was told by flags, else by variables, else by default.
struct ServeSettings {
    var listen = ListenAddress(host: "127.0.0.1", port: 7420)
    var folder = "./samelist-data"
    var history = KeptHistory.all
    var logLevel = Log.Level.info
    var tls: TLSPaths?
    var isInsecure = false
    var origins: [String] = []
    var signing: SigningOptions?
    /// By the names of `Bound.all`.
    var bounds: [String: Int] = [:]

    /// Files of a certificate and its key.
    struct TLSPaths: Equatable {
        let certificate: String
        let key: String
    }

    /// A value, and what gave it; `nil`: nothing did.
    private typealias Given = (Flag, String) -> (value: String, name: String)?

    /// - Parameter environment: the value of a variable, if it has one.
    init(
        _ arguments: Arguments, environment: (String) -> String?
    ) throws(UsageError) {
        func given(_ flag: Flag, _ variable: String) -> (value: String, name: String)? {
            if let value = arguments[flag] { return (value, "--\(flag.name)") }
            return environment(variable).map { ($0, variable) }
        }
        if let (value, name) = given(.listen, "SAMELIST_LISTEN") {
            listen = try ListenAddress(value, from: name)
        }
        folder = try Self.folder(arguments, environment: environment)
        if let (value, name) = given(.history, "SAMELIST_HISTORY") {
            history = try KeptHistory(value, from: name)
        }
        if let (value, name) = given(.logLevel, "SAMELIST_LOG_LEVEL") {
            guard let level = Log.Level(rawValue: value) else {
                throw UsageError(
                    "\(name) is debug, info, warning or error, not \(masked(value)).")
            }
            logLevel = level
        }
        if let (value, name) = given(.origins, "SAMELIST_ORIGIN") {
            origins = try Self.origins(value, from: name)
        }
        isInsecure = arguments.has(.insecure)
        tls = try Self.tls(given)
        signing = try Self.signing(given)
        if let (value, name) = given(.limit, "SAMELIST_LIMIT") {
            bounds = try Self.bounds(value, from: name)
        }
        try checkReach()
    }

    /// Where the lists are; all that most verbs need to know.
    static func folder(
        _ arguments: Arguments, environment: (String) -> String?
    ) throws(UsageError) -> String {
        let flag = arguments[.data].map { ($0, "--data") }
        let variable = environment("SAMELIST_DATA").map { ($0, "SAMELIST_DATA") }
        guard let (value, name) = flag ?? variable else { return "./samelist-data" }
        guard !value.isEmpty else { throw UsageError("\(name) needs the name of a folder.") }
        return value
    }

    private static func tls(_ given: Given) throws(UsageError) -> TLSPaths? {
        switch (given(.certificate, "SAMELIST_TLS_CERT"), given(.key, "SAMELIST_TLS_KEY")) {
        case (nil, nil): return nil
        case (let certificate?, let key?):
            return TLSPaths(certificate: certificate.value, key: key.value)
        default: throw UsageError("--tls-cert and --tls-key go together.")
        }
    }

    private static func origins(_ text: String, from name: String) throws(UsageError) -> [String] {
        var origins: [String] = []
        for origin in text.split(separator: ",").map(String.init) {
            let scheme = ["https://", "http://"].first { origin.hasPrefix($0) }
            let host = scheme.map { String(origin.dropFirst($0.count)) } ?? ""
            guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
                !host.contains(where: { "/*?#@".contains($0) }), host == host.lowercased()
            else {
                throw UsageError(
                    "\(name) takes origins such as https://lists.example.org, without a path and "
                        + "without *, not \(masked(origin)).")
            }
            origins.append(origin)
        }
        return origins
    }

    private static func bounds(_ text: String, from name: String) throws(UsageError) -> [String:
        Int]
    {
        var bounds: [String: Int] = [:]
        for part in text.split(separator: ",") {
            let words = part.split(separator: "=", omittingEmptySubsequences: false).map(
                String.init)
            guard words.count == 2, let bound = Bound.all.first(where: { $0.name == words[0] })
            else {
                let advice = suggestion(for: words[0], among: Bound.all.map(\.name))
                    .map { "Did you mean \($0)?" }
                throw UsageError(
                    "\(name) takes NAME=NUMBER, not \(masked(String(part))). "
                        + (advice ?? "See samelistd help limits."))
            }
            guard let number = Int(words[1]), bound.range.contains(number) else {
                throw UsageError(
                    "\(name): \(bound.name) is a number from \(bound.range.lowerBound) to "
                        + "\(bound.range.upperBound), not \(masked(words[1])).")
            }
            bounds[bound.name] = number
        }
        return bounds
    }

    private static func signing(_ given: Given) throws(UsageError) -> SigningOptions? {
        let parts = [
            given(.signingKey, "SAMELIST_JWT_KEY"), given(.signingAlgorithm, "SAMELIST_JWT_ALG"),
            given(.issuer, "SAMELIST_JWT_ISSUER"), given(.audience, "SAMELIST_JWT_AUDIENCE"),
        ].compactMap { $0 }
        if parts.isEmpty { return nil }
        guard parts.count == 4, parts.allSatisfy({ !$0.value.isEmpty }) else {
            throw UsageError("--jwt-key, --jwt-alg, --jwt-issuer and --jwt-audience go together.")
        }
        guard let algorithm = SigningOptions.Algorithm(rawValue: parts[1].value) else {
            throw UsageError(
                "\(parts[1].name) is HS256, RS256 or ES256, not \(masked(parts[1].value)).")
        }
        return SigningOptions(
            algorithm: algorithm, keyFile: parts[0].value, issuer: parts[2].value,
            audience: parts[3].value)
    }

    /// Whoever can reach it from elsewhere must show a token, and that must not be read on the way.
    private func checkReach() throws(UsageError) {
        guard !listen.isLoopback, tls == nil, !isInsecure else { return }
        throw UsageError(
            "\(masked(listen.host)) can be reached from other machines: give --tls-cert and "
                + "--tls-key, or --insecure where a proxy speaks TLS for it; or use 127.0.0.1.")
    }
}
