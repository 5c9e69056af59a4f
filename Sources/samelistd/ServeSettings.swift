internal import ListServer
internal import ProgramArguments

/// What `serve` was told by flags, else by variables, else by its file, else by default.
struct ServeSettings {
    var listen = ListenAddress(host: "127.0.0.1", port: 7420)
    var folder = "./samelist-data"
    var history = KeptHistory.all
    var logLevel = Log.Level.info
    var logFormat = Log.Format.logfmt
    /// Where metrics are told besides; `nil`: nowhere.
    var metrics: ListenAddress?
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

    init(_ given: GivenSettings) throws(UsageError) {
        folder = try given.folder()
        if let given = given(.listen) {
            listen = try ListenAddress(given.value, from: given.name)
        }
        if let given = given(.metrics) {
            metrics = try ListenAddress(given.value, from: given.name)
            guard listen.port == 0 || metrics?.port != listen.port else {
                throw UsageError("\(given.name) needs another port than listen has.")
            }
        }
        history = try Self.history(given)
        if let given = given(.logLevel) {
            logLevel = try Self.choice(given, "debug, info, warning or error")
        }
        if let given = given(.logFormat) { logFormat = try Self.choice(given, "logfmt or json") }
        if let given = given(.origins) {
            origins = try Self.origins(given.value, from: given.name)
        }
        if let given = given(.insecure) {
            guard let isInsecure = Bool(given.value) else {
                throw UsageError("\(given.name) is true or false, not \(masked(given.value)).")
            }
            self.isInsecure = isInsecure
        }
        tls = try Self.tls(given)
        signing = try Self.signing(given)
        bounds = try Self.bounds(given)
        try checkReach()
    }

    /// Those that must be there.
    var files: [String] {
        [tls?.certificate, tls?.key, signing?.keyFile].compactMap { $0 }
    }

    static func history(_ given: GivenSettings) throws(UsageError) -> KeptHistory {
        guard let given = given(.history) else { return .all }
        return try KeptHistory(given.value, from: given.name)
    }

    static func bounds(_ given: GivenSettings) throws(UsageError) -> [String: Int] {
        guard let given = given(.limit) else { return [:] }
        return try bounds(given.value, from: given.name)
    }

    private static func choice<Choice: RawRepresentable<String>>(
        _ given: GivenSettings.Given, _ choices: String
    ) throws(UsageError) -> Choice {
        guard let choice = Choice(rawValue: given.value) else {
            throw UsageError("\(given.name) is \(choices), not \(masked(given.value)).")
        }
        return choice
    }

    private static func tls(_ given: GivenSettings) throws(UsageError) -> TLSPaths? {
        switch (given(.certificate), given(.key)) {
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

    private static func signing(_ given: GivenSettings) throws(UsageError) -> SigningOptions? {
        let parts = [
            given(.signingKey), given(.signingAlgorithm),
            given(.issuer), given(.audience),
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
