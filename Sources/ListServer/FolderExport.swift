internal import Glibc
package import ListAuthority
internal import ListModel
package import ListProtocol
package import Storage

/// Which lists of a folder, or of an export, are meant.
package struct ListChoice: Sendable {
    /// `nil`: all.
    package var patterns: [ListPattern]?
    /// `nil`: those of all tenants and of none.
    package var tenant: Tenant?

    package init(_ patterns: [ListPattern]? = nil, of tenant: Tenant? = nil) {
        self.patterns = patterns
        self.tenant = tenant
    }

    func has(_ name: ListName, of tenant: Tenant) -> Bool {
        (self.tenant ?? tenant) == tenant && patterns?.contains { $0.matches(name) } ?? true
    }
}

/// The lists of a folder as lines of text (`ExportLine`), as they are at one moment, while a server
/// may be running there.
package struct FolderExport: Sendable {
    private let folder: String
    private let choice: ListChoice
    /// Whether deleted elements are left out.
    private let isLiving: Bool
    /// `nil`: it goes to standard output.
    private let draft: DraftFile?

    /// - Parameter file: a new one, private to this user; `nil`: standard output.
    package init(of folder: String, _ choice: ListChoice, livingOnly: Bool, to file: String?) {
        self.folder = folder
        self.choice = choice
        isLiving = livingOnly
        draft = file.map { DraftFile(of: $0, word: freshWord()) }
    }

    /// Answers how much it wrote. The file is there when it is whole, or not at all.
    package func make() throws(StorageError) -> ExportLine.Count {
        let storage = try SQLiteLogStorage.read(folder: folder)
        defer { storage.close() }
        guard let draft else {
            return try write(storage, to: LineWriter(STDOUT_FILENO, named: "standard output"))
        }
        defer { draft.remove() }
        try draft.make()
        let descriptor = open(draft.path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failed(draft) }
        defer { close(descriptor) }
        let count = try write(storage, to: LineWriter(descriptor, named: draft.path))
        guard fsync(descriptor) == 0 else { throw Self.failed(draft) }
        try draft.finish()
        return count
    }

    /// Removes the beginning of a file, from any thread.
    package func giveUp() { draft?.remove() }

    private static func failed(_ draft: DraftFile) -> StorageError {
        .failed("\(draft.path) could not be written (\(String(cString: strerror(errno)))).")
    }

    private func write(
        _ storage: SQLiteLogStorage, to lines: LineWriter
    ) throws(StorageError) -> ExportLine.Count {
        let archive = try Archive(storage, limits: Limits())
        let chosen = archive.allNames.filter { choice.has($0.name, of: $0.tenant) }
        guard !chosen.isEmpty || (choice.patterns == nil && choice.tenant == nil) else {
            throw .failed("No list in \(folder) has such a name, of such a tenant.")
        }
        var count = ExportLine.Count()
        try lines.write(
            MessageEncoder.encode(.begin(format: ExportLine.format, at: WallClock.now)))
        for (tenant, name) in chosen {
            let state: ListState
            do throws(Refusal) {
                state = try archive.of(tenant).whole(name).state
            } catch {
                throw .damaged("The list \(tenant.key(name)) cannot be read: \(error.sentence).")
            }
            try write(name, of: tenant, state, to: lines, &count)
        }
        try lines.write(MessageEncoder.encode(ExportLine.end(count)))
        try lines.flush()
        return count
    }

    private func write(
        _ name: ListName, of tenant: Tenant, _ state: ListState, to lines: LineWriter,
        _ count: inout ExportLine.Count
    ) throws(StorageError) {
        count.lists += 1
        let list = ExportLine.List(
            name: name, tenant: tenant == .unnamed ? nil : tenant.text, title: state.title,
            schema: state.schema, version: state.head, at: state.lastAt)
        try lines.write(MessageEncoder.encode(.list(list)))
        var rows: [ExportLine] = []
        func add(_ element: Element, _ grave: Grave??) {
            switch grave {
            case .none: rows.append(.element(element))
            case .some(let grave?) where !isLiving: rows.append(.grave(grave))
            // A server knows more of each grave than its place.
            case .some: break
            }
        }
        state.forEach(add)
        for row in rows {
            if case .element = row { count.elements += 1 } else { count.graves += 1 }
            try lines.write(MessageEncoder.encode(row))
        }
    }
}
