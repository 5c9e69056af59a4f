internal import Glibc
internal import ListAuthority
package import ListModel
package import ListProtocol
package import Storage

/// Puts the lists of an export into a folder in which no server runs: all that are chosen, or none.
///
/// A list comes with its versions, times and graves, and without its log: history begins anew. In
/// the place of another it is the same list with another log, as after a restore: clients hear the
/// difference, and what they had logged is not done again.
package struct FolderImport {
    private let lines: LineReader
    private let choice: ListChoice
    private let name: ListName?
    private let isReplacing: Bool
    private let limits: Limits
    private let decoder: MessageDecoder
    /// What was read of the export, and what of it was taken.
    private var read = ExportLine.Count()
    private var taken = ExportLine.Count()
    private var names: Set<String> = []
    private var reading: Reading?

    /// A list whose rows come.
    private struct Reading {
        let list: ExportLine.List
        let tenant: Tenant
        let isChosen: Bool
        var state: ListState
    }

    /// - Parameters:
    ///   - descriptor: where the lines come from, called `source`.
    ///   - name: the new name of the only list that is chosen.
    ///   - bounds: by the names of `Bound.all`, where they are not the usual ones.
    package init(
        from descriptor: Int32, named source: String, _ choice: ListChoice, as name: ListName?,
        replacing: Bool, bounds: [String: Int]
    ) {
        lines = LineReader(descriptor, named: source)
        self.choice = choice
        self.name = name
        isReplacing = replacing
        limits = Limits(bounds)
        decoder = MessageDecoder(limits: limits)
    }

    /// Answers how much it brought.
    package mutating func run(into folder: String) throws(StorageError) -> ExportLine.Count {
        let storage = try SQLiteLogStorage.open(folder: folder)
        defer { storage.close() }
        let archive = try Archive(storage, limits: limits)
        try storage.put { put throws(StorageError) in
            try readBeginning()
            while try readLine({ list throws(StorageError) in try put(list) }, archive) {}
        }
        return taken
    }

    private func nextLine() throws(StorageError) -> ExportLine {
        guard let line = try lines.next() else {
            throw lines.fault("the export ends here, before its last line")
        }
        do throws(DecodingFault) {
            return try decoder.decodeExportLine(line)
        } catch {
            throw lines.fault(error.sentence)
        }
    }

    private func readBeginning() throws(StorageError) {
        guard let line = try lines.next() else { throw lines.fault("there is nothing in it") }
        guard case .begin(let format, _)? = try? decoder.decodeExportLine(line) else {
            throw lines.fault("this is no export of samelistd")
        }
        guard format == ExportLine.format else {
            throw lines.fault(
                "the export has format \(format), and this program reads \(ExportLine.format)")
        }
    }

    /// False behind the last.
    private mutating func readLine(
        _ put: (WholeList) throws(StorageError) -> Void, _ archive: Archive
    ) throws(StorageError) -> Bool {
        switch try nextLine() {
        case .begin: throw lines.fault("here another export begins")
        case .list(let list):
            try finish(put, archive)
            try begin(list, archive)
        case .element(let element):
            read.elements += 1
            try add(element, nil)
        case .grave(let grave):
            read.graves += 1
            try add(grave.last, grave)
        case .end(let count):
            guard count == read else {
                throw lines.fault(
                    "it counts \(count.lists) lists, \(count.elements) elements and "
                        + "\(count.graves) deleted ones, but there are \(read.lists), "
                        + "\(read.elements) and \(read.graves)")
            }
            try finish(put, archive)
            guard try lines.next() == nil else { throw lines.fault("something follows the end") }
            return false
        }
        return true
    }

    private mutating func begin(
        _ list: ExportLine.List, _ archive: Archive
    ) throws(StorageError) {
        read.lists += 1
        guard let tenant = list.tenant.map(Tenant.init) ?? .unnamed else {
            throw lines.fault("\"tenant\" must be 1-64 of a-z 0-9 . _ -")
        }
        guard list.at <= WallClock.now.adding(milliseconds: Self.mostAhead) else {
            throw lines.fault("\"at\" lies in the future, and no time of a list may go back")
        }
        let isChosen = choice.has(list.name, of: tenant)
        if isChosen { try claim(list.name, of: tenant, archive) }
        reading = Reading(
            list: list, tenant: tenant, isChosen: isChosen,
            state: ListState(
                // Rows without a version would not fit the log before the first one.
                head: max(list.version, Version(1)), lastAt: list.at, title: list.title,
                schema: list.schema))
    }

    /// Clocks differ, in milliseconds.
    private static let mostAhead: Int64 = 86_400_000

    /// Each name once, and none that is there.
    private mutating func claim(
        _ found: ListName, of tenant: Tenant, _ archive: Archive
    ) throws(StorageError) {
        taken.lists += 1
        guard name == nil || taken.lists == 1 else {
            throw lines.fault("this is a second list, and --as names one; choose by --list")
        }
        let key = tenant.key(name ?? found)
        guard names.insert(key).inserted else { throw lines.fault("the list \(key) comes twice") }
        if archive.logs[key] != nil {
            guard isReplacing else {
                throw lines.fault(
                    "there is a list \(key) already; with --force it gets these rows, with --as "
                        + "they get another name")
            }
            return
        }
        let present = archive.of(tenant).names.count + names.count { archive.logs[$0] == nil }
        guard present <= limits.lists else {
            throw lines.fault("there would be \(present) lists; the limit is \(limits.lists)")
        }
    }

    private mutating func add(_ element: Element, _ grave: Grave?) throws(StorageError) {
        guard let list = reading?.list else { throw lines.fault("no list was named before") }
        let versions = [element.version, element.placed, grave?.version ?? .zero]
        guard versions.allSatisfy({ $0 <= list.version }) else {
            throw lines.fault("it is of a later version than its list, \(list.version)")
        }
        guard max(element.at, grave?.at ?? .zero) <= list.at else {
            throw lines.fault("\"at\" is later than that of its list")
        }
        let isNew =
            grave == nil
            ? reading?.state.append(element) : reading?.state.append(graveOf: element.id, grave)
        guard isNew == true else { throw lines.fault("\(element.id) is in this list already") }
        guard let state = reading?.state, state.count <= limits.elements else {
            throw lines.fault("a list holds at most \(limits.elements) elements")
        }
        guard state.graveCount <= limits.graves + limits.graves / 10 else {
            throw lines.fault("a list holds at most \(limits.graves) deleted elements")
        }
    }

    /// Puts the list in place whose rows have all come.
    private mutating func finish(
        _ put: (WholeList) throws(StorageError) -> Void, _ archive: Archive
    ) throws(StorageError) {
        guard let done = reading else { return }
        reading = nil
        guard done.isChosen else { return }
        taken.elements += done.state.count
        taken.graves += done.state.graveCount
        let name = self.name ?? done.list.name
        let whole = try whole(done, in: name, archive.of(done.tenant))
        try put(
            WholeList(
                name: done.tenant.key(name), epoch: whole.epoch.description,
                version: whole.state.head.number, parts: whole.snapshotRecords(limits: limits)))
    }

    private func whole(
        _ done: Reading, in name: ListName, _ archive: Archive
    ) throws(StorageError) -> ListAuthority.StoredList {
        guard archive.logs[done.tenant.key(name)] != nil else {
            let epoch = Epoch(list: freshWord(), log: freshWord())
            return ListAuthority.StoredList(epoch: epoch, state: done.state, sessions: Sessions())
        }
        do throws(Refusal) {
            let old = try archive.whole(name)
            var state = done.state
            state.passed(old.state)
            return ListAuthority.StoredList(
                epoch: Epoch(list: old.epoch.list, log: freshWord()), state: state,
                sessions: old.sessions)
        } catch {
            throw lines.fault("the list \(name) that is there cannot be read: \(error.sentence)")
        }
    }
}
