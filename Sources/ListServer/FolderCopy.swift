internal import ListModel
package import Storage

/// A copy of a data folder, and its way back.
package struct FolderCopy: Sendable {
    private let folder: String
    private let draft: DraftFile

    package init(of folder: String, to file: String) {
        self.folder = folder
        draft = DraftFile(of: file, word: freshWord())
    }

    /// Writes what the folder holds at one moment to the file, while a server may be running
    /// there. Throws `damaged` where `FolderCheck` would find something wrong.
    package func make() throws(StorageError) {
        try DatabaseCopy.write(listsIn: folder, to: draft) { copy throws(StorageError) in
            try Self.verify(copy, of: folder)
        }
    }

    /// Removes the beginning of a copy, from any thread; what is done stays.
    package func giveUp() { draft.remove() }

    /// Makes a folder of a copy. Every list goes on as another log, so that clients that saw more
    /// of it than the copy holds are told the difference. Answers where the old folder is kept.
    package static func restore(
        _ file: String, to folder: String, replacing: Bool
    ) throws(StorageError) -> String? {
        try DatabaseCopy.restore(file, to: folder, replacing: replacing, word: freshWord()) {
            copy throws(StorageError) in
            try verify(copy, of: file)
        } _: { storage throws(StorageError) in
            for list in try storage.lists() {
                guard Tenant.list(ofKey: list.name) != nil, let epoch = Epoch(list.epoch) else {
                    continue
                }
                let next = Epoch(list: epoch.list, log: freshWord())
                try storage.setEpoch(next.description, of: list.name)
            }
        }
    }

    private static func verify(_ copy: String, of source: String) throws(StorageError) {
        let flaws = try FolderCheck(file: copy).flaws
        if flaws.isEmpty { return }
        let more = flaws.count > 5 ? "; and \(flaws.count - 5) flaws more" : ""
        throw .damaged(
            "\(source) is damaged, and no copy was made: "
                + flaws.prefix(5).joined(separator: "; ") + more)
    }
}
