import Glibc
internal import ListAuthority
internal import ListModel
internal import ListServer
internal import ProgramArguments

/// `samelistd token`: who may come, and to what.
extension Program {
    static func token(_ arguments: Arguments) throws(UsageError) -> Int32 {
        let words = arguments.words.dropFirst()
        let folder = try GivenSettings(arguments, environment: environment).folder()
        if words.first == "create" { keepOutputPrivate() }
        becomeOwner(of: folder)
        let store = TokenStore(folder: folder)
        switch words.first {
        case "create" where words.count == 1: return try create(arguments, store)
        case "list" where words.count == 1: return list(store)
        case "revoke" where words.count <= 2:
            return try revoke(words.dropFirst().first, arguments, store)
        default:
            throw UsageError(
                "token is followed by create, list or revoke. See samelistd help token.")
        }
    }

    private static func create(
        _ arguments: Arguments, _ store: TokenStore
    ) throws(UsageError) -> Int32 {
        guard let name = arguments[.named].flatMap(UserName.init) else {
            throw UsageError("token create needs --name NAME: 1-64 bytes, no control characters.")
        }
        let grants = try grants(arguments)
        let tenant = try tenant(arguments) ?? .unnamed
        let expires = try expiry(arguments[.expires] ?? "90d")
        return reporting {
            let token = try store.create(for: name, tenant: tenant, grants, expires: expires)
            say(token.text)
            let until = expires.map { "until \(Dates.text($0))" } ?? "for good"
            say(
                "Token \(token.id) of \(name), \(until): \(grants.text). It is not shown again; "
                    + "keep it in a file that only its owner can read.",
                on: STDERR_FILENO)
            return ExitCode.done
        }
    }

    /// `token create … > FILE` makes a file that others could read, by which no client would go.
    private static func keepOutputPrivate() {
        var status = stat()
        guard fstat(STDOUT_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size == 0
        else { return }
        fchmod(STDOUT_FILENO, 0o600)
    }

    /// The same right to each pattern, unless one has its own behind a colon.
    private static func grants(_ arguments: Arguments) throws(UsageError) -> [Grant] {
        guard let list = arguments[.list], !list.isEmpty else {
            throw UsageError("token create needs --list PATTERN, such as 'team-*'.")
        }
        let usual = arguments[.rights].map { ":" + $0 } ?? ""
        let text = list.split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.contains(":") ? String($0) : $0 + usual }.joined(separator: ",")
        guard let grants = [Grant](parsing: text) else {
            throw UsageError(
                "--list is names of lists, in which * stands for anything, and --rights is read, "
                    + "write or own, not \(masked(text)).")
        }
        return grants
    }

    private static func expiry(_ text: String) throws(UsageError) -> Timestamp? {
        if text == "never" { return nil }
        guard let age = duration(of: text) else {
            throw UsageError(
                "--expires is an age such as 30d, 12h, 90m or 45s, or never, not \(masked(text)).")
        }
        return Timestamp(milliseconds: TokenStore.now.milliseconds + age)
    }

    private static func list(_ store: TokenStore) -> Int32 {
        reporting {
            guard let tokens = try store.all() else {
                say("There is no token, nor was there ever one.", on: STDERR_FILENO)
                return ExitCode.done
            }
            for token in tokens { say(line(of: token)) }
            return ExitCode.done
        }
    }

    private static func line(of token: TokenRecord) -> String {
        [
            token.id, token.state(at: TokenStore.now).rawValue,
            (token.revoked ?? token.expires).map(Dates.text) ?? "never",
            token.tenant == .unnamed ? "-" : token.tenant.text,
            String(masked(token.name.text).dropFirst().dropLast()), token.grants.text,
        ].joined(separator: "\t")
    }

    private static func revoke(
        _ id: String?, _ arguments: Arguments, _ store: TokenStore
    ) throws(UsageError) -> Int32 {
        let name = arguments[.named]
        guard (id == nil) != (name == nil), let word = id ?? name else {
            throw UsageError("token revoke needs the ID of a token, or --name NAME for all of it.")
        }
        // Whatever is said here may end in a log.
        guard !word.hasPrefix("sl1.") else {
            throw UsageError(
                "that is a token itself; revoke takes its ID, as samelistd token list tells it.")
        }
        return reporting {
            let revoked = try store.revoke(word, isName: id == nil)
            guard !revoked.isEmpty else {
                say("samelistd: there is no token \(masked(word)) to revoke.", on: STDERR_FILENO)
                return ExitCode.failed
            }
            say("Revoked \(revoked.joined(separator: ", ")).")
            return ExitCode.done
        }
    }
}

/// Points in time, for people and scripts.
enum Dates {
    /// `2026-01-31T12:00:00Z`
    static func text(_ time: Timestamp) -> String {
        var seconds = time_t(time.milliseconds / 1_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: text.prefix(count).map(UInt8.init), as: UTF8.self)
    }
}
