internal import Glibc
internal import ListModel
internal import ListReplica
internal import Samelist

/// Work done offline that the server did not do, skipped or refused; kept for `samelist status`,
/// since whoever did it may not look when it is told.
///
/// A line each in `FOLDER/SERVER/NAME/left-out`: list, what became of it, code, ID, by whom, when,
/// and what it was.
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
    }

    private let core: ClientCore
    private let path: String
    /// What waited when a connection came.
    private var waited: [ListName: Set<MutationNumber>] = [:]

    /// Lines kept; the oldest go first.
    private static let most = 1_000
    private static let mostBytes = 1 << 22

    init(_ core: ClientCore, _ settings: Settings) {
        self.core = core
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
                lines += Self.lines(of: report, name, now)
            default: break
            }
        }
        if !lines.isEmpty { keep(lines) }
    }

    private static func lines(of report: Report, _ name: ListName, _ now: Timestamp) -> String {
        LeftOut.all(of: report).map { item in
            let by = item.by.map { Printing.masked($0.text) } ?? ""
            let cells = [
                name.text, item.word, item.code.rawValue, item.id?.text ?? "", by, Clock.text(now),
                Line.row(item.operation.parts).plain,
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
                by: cells[4], at: cells[5], what: cells.count > 6 ? cells[6] : "")
        }
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
