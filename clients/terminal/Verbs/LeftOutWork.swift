internal import Glibc
internal import ListModel
internal import ListReplica
internal import Samelist

/// Work done offline that the server did not do, skipped or refused; kept for `samelist status`,
/// since whoever did it may not look when it is told.
///
/// A line each in `FOLDER/SERVER/NAME/left-out`: list, what became of it, code, ID, by whom, when.
@MainActor
final class LeftOutWork {
    struct Item {
        let list: String
        let isRefused: Bool
        let code: String
        let id: String
        let by: String
        let at: String
    }

    private let core: ClientCore
    private let path: String
    /// What waited when a connection came.
    private var waited: [ListName: Set<MutationNumber>] = [:]

    /// Lines kept; the oldest go first.
    private static let most = 1_000

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
        let skips: [(String, Code, ElementID?, UserName?)] =
            switch report.answer.outcome {
            case .refused(let refusal): [("refused", refusal.code, refusal.id, nil)]
            case .logged, .nothing:
                report.answer.skips.map { ("skipped", $0.code, $0.id, $0.by) }
            }
        return skips.map { kind, code, id, by in
            let by = by.map { Printing.masked($0.text) } ?? ""
            let cells = [name.text, kind, code.rawValue, id?.text ?? "", by, Clock.text(now)]
            return cells.joined(separator: "\t") + "\n"
        }.joined()
    }

    private func keep(_ new: String) {
        let kept = Self.text(in: path).split(separator: "\n").suffix(Self.most - 1)
        let all = kept.map { $0 + "\n" }.joined() + new
        Folder.replace(path, with: Array(all.utf8))
    }

    static func all(_ settings: Settings) -> [Item] {
        text(in: path(settings)).split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
                .map(String.init)
            guard cells.count == 6 else { return nil }
            return Item(
                list: cells[0], isRefused: cells[1] == "refused", code: cells[2], id: cells[3],
                by: cells[4], at: cells[5])
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
