internal import Glibc
internal import ListModel

/// What a verb says: results on standard output, everything else on standard error, plainly or as
/// one JSON object a line.
struct Output: Sendable {
    let isJSON: Bool
    let isQuiet: Bool
    /// Results as cells with a tab between each.
    var isPlain = false

    typealias Members = [(String, Value)]

    /// A result: a row, an answer to what was asked.
    func result(_ plain: String, _ members: Members) {
        line(isJSON ? Printing.object(members) : plain, on: STDOUT_FILENO)
    }

    /// Text that is shown as it is, or is one member of an object.
    func text(_ text: String, _ member: String) {
        guard isJSON else { return StandardStreams.write(Array(text.utf8), to: STDOUT_FILENO) }
        result("", [(member, .text(text))])
    }

    /// Many results in few writes.
    func results<Rows: Sequence>(
        _ rows: Rows, plain: (Rows.Element) -> String, members: (Rows.Element) -> Members
    ) {
        var bytes: [UInt8] = []
        for row in rows {
            bytes.append(contentsOf: (isJSON ? Printing.object(members(row)) : plain(row)).utf8)
            bytes.append(UInt8(ascii: "\n"))
            guard bytes.count >= 1 << 16 else { continue }
            StandardStreams.write(bytes, to: STDOUT_FILENO)
            bytes.removeAll(keepingCapacity: true)
        }
        StandardStreams.write(bytes, to: STDOUT_FILENO)
    }

    /// The same for what `--plain` gives as cells.
    func results<Rows: Sequence>(
        _ rows: Rows, plain: (Rows.Element) -> String, cells: (Rows.Element) -> [String],
        members: (Rows.Element) -> Members
    ) {
        results(
            rows,
            plain: { row in
                guard isPlain else { return plain(row) }
                return cells(row).map(Printing.masked).joined(separator: "\t")
            }, members: members)
    }

    /// That something was done, and how to take it back: `-q` silences it, or says `quietly`
    /// instead.
    func done(_ sentence: String, undo: String?, _ members: Members, quietly: String? = nil) {
        if isJSON {
            let undone: Members = undo.map { [("undo", .text($0))] } ?? []
            line(Printing.object([("ok", .bool(true))] + members + undone), on: STDOUT_FILENO)
        } else if isQuiet {
            if let quietly { line(quietly, on: STDOUT_FILENO) }
        } else {
            line(sentence + (undo.map { "   Undo: \($0)" } ?? ""), on: STDOUT_FILENO)
        }
    }

    /// What helps a person, and no script.
    func note(_ sentence: String) {
        guard !isQuiet, !isJSON else { return }
        line(sentence, on: STDERR_FILENO)
    }

    func failure(_ failure: Failure) {
        var members: Members = [
            ("ok", .bool(false)), ("code", .text(failure.word)),
            ("sentence", .text(failure.sentence)), ("exit", .int(Int64(failure.exit.rawValue))),
        ]
        if let id = failure.id { members.append(("id", .text(id.text))) }
        let plain = "samelist: " + Printing.masked(failure.sentence)
        line(isJSON ? Printing.object(members) : plain, on: STDERR_FILENO)
    }

    /// As many as a person reads are told in words and the others counted; scripts get them all.
    func failures(_ failures: [Failure]) {
        for failure in isJSON ? failures[...] : failures.prefix(Self.mostFailures) {
            self.failure(failure)
        }
        let more = failures.count - Self.mostFailures
        if more > 0, !isJSON { line("… and \(more) more", on: STDERR_FILENO) }
    }

    private static let mostFailures = 20

    private func line(_ text: String, on descriptor: Int32) {
        StandardStreams.write(Array((text + "\n").utf8), to: descriptor)
    }
}
