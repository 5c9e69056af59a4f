internal import Glibc
internal import ListModel
internal import ListProtocol
internal import ListReplica
internal import ProgramArguments
internal import Samelist

/// Whole lists out of files and into files.
extension Verbs {
    @MainActor
    static func export(_ call: inout Invocation) async throws(Failure) {
        let name = try call.listName()
        let file = try call.fileName()
        let format = try call.format(of: file)
        let elements = try await Conversation.run(call) { talk throws(Failure) in
            try await talk.open(name).list.elements
        }
        let rows = elements.map { FileRow(id: $0.id, fields: $0.fields) }
        let text = format.text(of: rows)
        if let file, Destination(file) != .descriptor(STDOUT_FILENO) {
            try WholeFile.write(text, to: file)
            call.output.done(
                "Wrote \(counted(rows.count, "row")) of \(name) to \(Printing.masked(file)).",
                undo: nil,
                [
                    ("list", .text(name.text)), ("file", .text(file)),
                    ("count", .int(Int64(rows.count))),
                ])
        } else {
            let isSeen = StandardStreams.isTerminal(STDOUT_FILENO)
            let shown = isSeen ? Printing.maskedLines(text) : text
            StandardStreams.write(Array(shown.utf8), to: STDOUT_FILENO)
        }
        let kept: Set<FieldName> = [.title, RowText.done]
        let lost = rows.reduce(into: Set<FieldName>()) { $0.formUnion($1.fields.names) }
            .subtracting(kept)
        if format == .markdown, !lost.isEmpty {
            let names = lost.sorted().map { Printing.masked($0.text) }.joined(separator: ", ")
            call.output.note("Markdown has no place for \(names); --format jsonl keeps everything.")
        }
    }

    @MainActor
    static func importing(_ call: inout Invocation) async throws(Failure) {
        let name = try call.listName()
        let file = try call.fileName()
        let format = try call.format(of: file)
        let rows = try checked(format, try WholeFile.read(file), file ?? "standard input")
        let creates = call.has(.create)
        let output = call.output
        let batch = try await Conversation.run(call) { talk throws(Failure) in
            var rowsOnTheirWay = Import(rows, into: name, talk, Progress(of: rows.count, output))
            let replica = try await talk.open(name, create: creates)
            try await rowsOnTheirWay.run(on: replica)
            return rowsOnTheirWay
        }
        try batch.report(output)
    }

    /// All rows, or none where one cannot be read.
    private static func checked(
        _ format: FileFormat, _ text: String, _ file: String
    ) throws(Failure) -> [FileRow] {
        do throws(MalformedLine) {
            let rows = try format.rows(of: text)
            var lines: [ElementID: Int] = [:]
            for row in rows {
                guard let id = row.id else { continue }
                if let before = lines[id] {
                    throw MalformedLine(line: row.line, sentence: "\(id) is in line \(before) too")
                }
                lines[id] = row.line
            }
            return rows
        } catch {
            throw Failure(
                .refused, "malformed",
                "line \(error.line) of \(file) cannot be read: \(error.sentence). "
                    + "Nothing was imported.")
        }
    }
}

extension Invocation {
    /// The file that is named; `nil`: standard input or output.
    fileprivate mutating func fileName() throws(Failure) -> String? {
        let word = words.popFirst()
        try end()
        return word == "-" ? nil : word
    }

    fileprivate func format(of file: String?) throws(Failure) -> FileFormat {
        guard let word = arguments[.format] else {
            return file.flatMap(FileFormat.init(fileName:)) ?? .jsonl
        }
        guard let format = FileFormat(rawValue: word) else {
            throw .usage("--format is jsonl, csv or markdown, not \(masked(word)).")
        }
        return format
    }
}
