internal import ListModel
internal import ListProtocol
internal import ListReplica
internal import Samelist

/// Rows of a file on their way into a list: in mutations of bounded size, several under way at
/// once, in the order of the file. A row that is refused is named, and does not keep the others of
/// its mutation out.
@MainActor
struct Import {
    private let name: ListName
    private let talk: Conversation
    private let progress: Progress
    private var rows: [(id: ElementID, row: FileRow)]
    private var underWay: [(n: MutationNumber?, ids: [ElementID], rows: [Fields])] = []
    private(set) var imported: [ElementID] = []
    private(set) var refused: [Failure] = []
    private var version = Version.zero

    /// Mutations under way at once: enough to keep the server's disk busy, few enough to replay
    /// quickly.
    private static let window = 4

    init(_ rows: [FileRow], into name: ListName, _ talk: Conversation, _ progress: Progress) {
        self.name = name
        self.talk = talk
        self.progress = progress
        self.rows = rows.map { ($0.id ?? Fresh.element(), $0) }
    }

    mutating func run(on replica: Replica) async throws(Failure) {
        dropUnfit(replica.list)
        progress.begin()
        defer { progress.end() }
        let ids = rows.map(\.id)
        let fields = rows.map(\.row.fields)
        for range in Insertion.batches(ids, fields) {
            if underWay.count >= Self.window { try await settle() }
            // Each part goes to the end: the one before it may still be refused.
            send(Array(ids[range]), Array(fields[range]), at: .last)
        }
        while !underWay.isEmpty { try await settle() }
    }

    /// Rows that the server would refuse are refused without asking.
    private mutating func dropUnfit(_ list: ListState) {
        rows.removeAll { id, row in
            if case .unknown = list.standing(of: id) {
                do throws(Failure) {
                    try talk.checkSize(of: row.fields, id)
                    return false
                } catch {
                    refused.append(
                        Failure(
                            error.exit, error.word, "line \(row.line): \(error.sentence)", id: id))
                    return true
                }
            }
            refused.append(
                Failure(
                    .refused, Code.idTaken.rawValue,
                    "line \(row.line): \(name) has had a row \(id) already; IDs are for ever.",
                    id: id))
            return true
        }
    }

    private mutating func send(_ ids: [ElementID], _ rows: [Fields], at place: Place) {
        let operations = Insertion.operations(ids[...], rows[...], at: place)
        underWay.append((talk.submit(operations, to: name), ids, rows))
    }

    /// Waits for the oldest mutation under way; where a row of it is refused, the others go again.
    private mutating func settle() async throws(Failure) {
        let batch = underWay.removeFirst()
        let report: Report
        do throws(Failure) {
            report = try await talk.outcome(of: batch.n)
        } catch {
            throw Failure(
                error.exit, error.word, "\(error.sentence) \(imported.count) rows were imported.")
        }
        switch report.answer.outcome {
        case .logged(let version, _):
            self.version = max(self.version, version)
            imported.append(contentsOf: batch.ids)
            progress.tell(imported.count)
        case .nothing: break
        case .refused(let refusal): try await resend(batch.ids, batch.rows, without: refusal)
        }
    }

    private mutating func resend(
        _ ids: [ElementID], _ rows: [Fields], without refusal: Refusal
    ) async throws(Failure) {
        guard let id = refusal.id, let index = ids.firstIndex(of: id) else {
            throw Failure(
                ExitCode(refusal.code), refusal.code.rawValue,
                "\(refusal.sentence); \(imported.count) rows were imported.")
        }
        refused.append(
            Failure(.refused, refusal.code.rawValue, "row \(id): \(refusal.sentence).", id: id))
        var ids = ids
        var rows = rows
        ids.remove(at: index)
        rows.remove(at: index)
        guard !ids.isEmpty else { return }
        // Those behind it are on their way already, so it is put between its neighbours.
        let hasNoneBefore = imported.isEmpty
        if hasNoneBefore { while !underWay.isEmpty { try await settle() } }
        let neighbour: Place? =
            hasNoneBefore ? imported.first.map { .before($0) } : imported.last.map { .after($0) }
        let later = underWay
        underWay = []
        send(ids, rows, at: neighbour ?? .last)
        while !underWay.isEmpty { try await settle() }
        underWay = later
    }

    func report(_ output: Output) throws(Failure) {
        let undo = Verbs.undo("rm", name, imported, talk.settings)
        if !imported.isEmpty || refused.isEmpty {
            output.done(
                "Imported \(Verbs.counted(imported.count, "row")) into \(name)"
                    + (imported.isEmpty ? "." : " (version \(version))."),
                undo: imported.isEmpty ? nil : undo,
                [
                    ("list", .text(name.text)), ("count", .int(Int64(imported.count))),
                    ("refused", .int(Int64(refused.count))),
                    ("version", .int(Int64(clamping: version.number))),
                ])
        }
        output.failures(refused)
        guard refused.isEmpty else {
            throw Failure(
                .refused, "refused",
                "\(Verbs.counted(refused.count, "row")) of \(refused.count + imported.count) "
                    + "were refused.")
        }
    }
}
