internal import Glibc
internal import ListModel
internal import ListReplica
internal import ProgramArguments
internal import Samelist

/// The names of lists and rows that were seen on this machine, kept so that a shell can complete
/// them without waiting for a server, or for a client that has the copy of the list.
///
/// A file a list, under `FOLDER/SERVER/NAME/seen`: a line a row, its ID, a tab and its title;
/// behind that of a deleted one another tab and who deleted it.
struct KnownRows {
    private let folder: String

    /// More than that nobody looks through.
    static let most = 2_000
    /// Deleted rows that are kept, the last ones.
    static let mostGone = 500

    init(_ settings: Settings) {
        folder =
            ClientIdentity.folder(
                in: settings.folder, server: settings.server, name: settings.name) + "/seen"
    }

    /// Keeps what all lists of a client have now.
    @MainActor
    func keep(from core: ClientCore) {
        for (name, replica) in core.replicas where replica.epoch != nil && replica.gone == nil {
            keep(replica.list, of: name)
        }
    }

    /// Keeps what a list has now. That it cannot be kept is no fault of the work being done.
    func keep(_ list: ListState, of name: ListName) {
        let rows = (0..<min(list.count, Self.most)).compactMap(list.element).map { element in
            element.id.text + "\t" + RowText.title(of: element, columns: 40) + "\n"
        }
        let gone = list.graves(atMost: Self.mostGone).map { grave in
            grave.last.id.text + "\t" + RowText.title(of: grave.last, columns: 40) + "\t"
                + Printing.masked(grave.by.text) + "\n"
        }
        write(rows.joined() + gone.joined(), name)
    }

    /// Keeps which lists there are.
    func keep(_ names: [ListName]) {
        let there = Set(names.map(\.text))
        let known = Set(Folder.names(in: folder))
        for gone in known.subtracting(there) where !gone.hasPrefix(".") {
            unlink(folder + "/" + gone)
        }
        for name in names where !known.contains(name.text) { write("", name) }
    }

    func forget(_ name: ListName) { unlink("\(folder)/\(name)") }

    var lists: [Completion.Candidate] {
        Folder.names(in: folder).filter { ListName($0) != nil }.sorted().map { .init($0) }
    }

    func rows(of name: String) -> [Completion.Candidate] {
        lines(of: name).filter { $0.count < 3 }.map { .init($0[0], $0.count == 2 ? $0[1] : "") }
    }

    /// The deleted rows, the last one first.
    func gone(from name: String) -> [Completion.Candidate] {
        lines(of: name).filter { $0.count == 3 }
            .map { .init($0[0], ($0[1] + " deleted by " + $0[2]).trimmed) }
    }

    private func lines(of name: String) -> [[String]] {
        guard let name = ListName(name), let bytes = Folder.bytes(of: "\(folder)/\(name)") else {
            return []
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
            line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
                .map(String.init)
        }
    }

    private func write(_ text: String, _ name: ListName) {
        Folder.make(folder)
        Folder.replace("\(folder)/\(name)", with: Array(text.utf8))
    }
}

extension ListState {
    /// The graves of which all is known, the last one first. O(n).
    func graves(atMost most: Int) -> [Grave] {
        guard graveCount > 0 else { return [] }
        var graves: [Grave] = []
        let collect = { (element: Element, grave: Grave??) in
            if let grave, let grave { graves.append(grave) }
        }
        forEach(collect)
        return Array(graves.sorted { $0.version > $1.version }.prefix(most))
    }
}
