internal import Glibc
internal import ListModel
internal import ListProtocol
internal import ListReplica
internal import Samelist

/// Work done offline that the server did not do, skipped or refused; kept for `samelist status`,
/// since whoever did it may not look when it is told.
///
/// A line each in `FOLDER/SERVER/NAME/left-out`: list, what became of it, code, ID, by whom, when,
/// what it was, which client did it, under which number, and what it was as JSON.
@MainActor
final class LeftOutWork {
    struct Item {
        let list: String
        let isRefused: Bool
        let code: String
        let id: String
        let by: String
        let at: String
        /// What was to be done, in the shell's language.
        let what: String
        /// Who did it, and the number under which it was proposed.
        let client: String
        let n: MutationNumber?
        /// What was to be done, as members of a JSON object.
        let members: Value
    }

    private let core: ClientCore
    private let path: String
    private let settings: Settings
    /// What waited when a connection came.
    private var waited: [ListName: Set<MutationNumber>] = [:]

    /// Lines kept; the oldest go first.
    private static let most = 1_000
    private static let mostBytes = 1 << 22

    init(_ core: ClientCore, _ settings: Settings) {
        self.core = core
        self.settings = settings
        path = Self.path(settings)
    }

    func note(_ news: [News], at now: Timestamp) {
        var lines = ""
        for item in news {
            switch item {
            case .link:
                for (name, replica) in core.replicas {
                    let numbers = replica.unresolved.map { $0.origin ?? $0.mutation.n }
                    if core.link.isOnline { waited[name, default: []].formUnion(numbers) }
                }
            case .outcome(let name, let n, let report):
                guard waited[name]?.remove(n) != nil else { continue }
                lines += Self.lines(of: report, n, core.client, name, now)
            default: break
            }
        }
        if !lines.isEmpty { keep(lines) }
    }

    private static func lines(
        of report: Report, _ n: MutationNumber, _ client: ClientID, _ name: ListName,
        _ now: Timestamp
    ) -> String {
        LeftOut.all(of: report).map { item in
            let by = item.by.map { Printing.masked($0.text) } ?? ""
            let what = Line.row(item.operation.parts)
            let cells = [
                name.text, item.word, item.code.rawValue, item.id?.text ?? "", by, Clock.text(now),
                what.plain, client.text, "\(n.number)", what.json,
            ]
            return cells.joined(separator: "\t") + "\n"
        }.joined()
    }

    private func keep(_ new: String) {
        var lines: [String] = []
        var bytes = 0
        for line in (Self.text(in: path) + new).split(separator: "\n").reversed() {
            bytes += line.utf8.count + 1
            if lines.count == Self.most || bytes > Self.mostBytes { break }
            lines.append(line + "\n")
        }
        Folder.replace(path, with: Array(lines.reversed().joined().utf8))
    }

    static func all(_ settings: Settings) -> [Item] {
        text(in: path(settings)).split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
                .map(String.init)
            guard cells.count >= 6 else { return nil }
            return Item(
                list: cells[0], isRefused: cells[1] == "refused", code: cells[2], id: cells[3],
                by: cells[4], at: cells[5], what: cells.count > 6 ? cells[6] : "",
                client: cells.count > 7 ? cells[7] : "",
                n: cells.count > 8 ? UInt64(cells[8]).map(MutationNumber.init) : nil,
                members: cells.count > 9 ? members(cells[9]) : .null)
        }
    }

    private static func members(_ json: String) -> Value {
        (try? MessageDecoder(limits: Limits()).decodeValue(Array(json.utf8))) ?? .null
    }

    /// What this client did in a list, in this run and before.
    func kept(of name: ListName) -> [Item] {
        Self.all(settings).filter { $0.list == name.text && $0.client == core.client.text }
    }

    /// False: this client did nothing under this number that was left out.
    func forget(_ n: MutationNumber, of name: ListName) -> Bool {
        let lines = Self.text(in: path).split(separator: "\n")
        let rest = lines.filter { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
            return cells.count < 9 || cells[0] != name.text || cells[7] != core.client.text
                || cells[8] != "\(n.number)"
        }
        guard rest.count < lines.count else { return false }
        Folder.replace(path, with: Array(rest.map { $0 + "\n" }.joined().utf8))
        return true
    }

    static func clear(_ settings: Settings) { unlink(path(settings)) }

    private static func text(in path: String) -> String {
        String(decoding: Folder.bytes(of: path) ?? [], as: UTF8.self)
    }

    private static func path(_ settings: Settings) -> String {
        ClientIdentity.folder(
            in: settings.folder, server: settings.server, name: settings.name) + "/left-out"
    }
}

/// An operation that the server did not do.
struct LeftOut {
    let operation: Operation
    let isRefused: Bool
    let code: Code
    let id: ElementID?
    let by: UserName?

    var word: String { isRefused ? "refused" : "skipped" }

    /// What was left out of a mutation: all of it where it was refused.
    static func all(of report: Report) -> [LeftOut] {
        if case .refused(let refusal) = report.answer.outcome {
            return report.operations.map { operation in
                LeftOut(
                    operation: operation, isRefused: true, code: refusal.code,
                    id: operation.targets.first ?? refusal.id, by: nil)
            }
        }
        return report.answer.skips.compactMap { skip in
            guard report.operations.indices.contains(skip.operation) else { return nil }
            return LeftOut(
                operation: report.operations[skip.operation], isRefused: false, code: skip.code,
                id: skip.id, by: skip.by)
        }
    }
}
