internal import Glibc
internal import ListModel
internal import ListProtocol
internal import ListReplica
internal import ProgramArguments

/// Writing a longer text into a row: from a file, from standard input, or in the user's editor.
extension Verbs {
    @MainActor
    static func edit(_ call: inout Invocation) async throws(Failure) {
        let name = try call.listName()
        let word = try call.next("an ID")
        try call.end()
        let field = try field(call)
        let version = try Settings.version(call.arguments, .ifVersion)
        if call.has(.from), call.has(.all) { throw .usage("edit takes one of --from and --all.") }
        let text = try call.arguments[.from].map(text(from:))
        if text == nil { try call.checkTerminal() }
        let asked = call
        let (id, row, written) = try await Conversation.run(call) {
            talk throws(Failure) -> (ElementID, Fields, Written) in
            let replica = try await talk.open(name)
            let id = try ElementWords(replica.list, of: name).id(word)
            var edit = FieldEdit(talk: talk, replica: replica, id: id, field: field, call: asked)
            edit.version = version
            let row = edit.row
            guard let text else { return (id, row, try await edit.inEditor()) }
            return (id, row, try await edit.write(text))
        }
        guard let added = written.added else {
            return try call.tell(
                written.report, "Changed \(RowText.quoted(row, id))", name, [id],
                undo: "samelist undo \(name)\(call.settings.repeated)")
        }
        try call.tell(
            written.report, "Added the text as new row \(added) at the same place", name, [added],
            undo: undo("rm", name, [added], call.settings))
    }

    private static func field(_ call: Invocation) throws(Failure) -> FieldName? {
        guard let word = call.arguments[.field] else { return call.has(.all) ? nil : .title }
        guard !call.has(.all) else { throw .usage("edit takes one of --field and --all.") }
        guard let field = FieldName(word) else {
            throw .usage("\(masked(word)) is no field name: 1-64 bytes, no control characters.")
        }
        return field
    }

    /// Without the line break behind the last line.
    private static func text(from file: String) throws(Failure) -> String {
        let descriptor =
            file == "-"
            ? STDIN_FILENO
            : Glibc.open(file, O_RDONLY | O_CLOEXEC)
        defer { if descriptor > STDIN_FILENO { close(descriptor) } }
        guard descriptor >= 0, var bytes = Folder.bytes(from: descriptor) else {
            let why = String(cString: strerror(errno))
            throw Failure(.refused, "no_input", "cannot read \(masked(file)): \(why).")
        }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(.refused, "no_text", "\(masked(file)) is no text in UTF-8.")
        }
        guard !text.allSatisfy(\.isWhitespace) else {
            let source = file == "-" ? "standard input" : masked(file)
            throw Failure(
                .refused, "no_input",
                "\(source) is empty; nothing was written. samelist set LIST ID FIELD= empties a "
                    + "field.")
        }
        return text
    }
}
