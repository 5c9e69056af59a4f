internal import ListModel

/// The members of a part, on the wire and in a record:
/// `"epoch":E,"version":12,"part":0,"last":true,"title":"…","schema":{…},"base":…,"names":[…],
/// "rows":[…]`.
/// Title and schema stand in part 0 alone.
extension SnapshotPart {
    /// `graveDetails`: whether rows may tell of graves more than the ID, as records do.
    init(_ object: JSONObject, graveDetails: Bool) throws(DecodingFault) {
        let names: [UserName] = try object.read("names")
        let base: Timestamp? = try object.readIfPresent("base")
        let rows = try object.read("rows") { node throws(DecodingFault) in
            try node.array().readAll { node throws(DecodingFault) in
                try Row(json: node, names: names, base: base, graveDetails: graveDetails)
            }
        }
        let index: Int = try object.read("part")
        let isFirst = index == 0
        self.init(
            position: Position(
                epoch: try object.read("epoch"), version: try object.read("version")),
            index: index, isLast: try object.flag("last"),
            title: isFirst ? try object.readIfPresent("title") ?? "" : "",
            schema: isFirst ? try object.readIfPresent("schema") : nil, base: base, rows: rows)
    }

    func writeMembers(to writer: inout JSONWriter, graveDetails: Bool) {
        writer.member("epoch", position.epoch)
        writer.member("version", position.version)
        writer.member("part", index)
        writer.flag("last", isLast)
        if index == 0 {
            if !title.isEmpty { writer.member("title", title) }
            writer.member("schema", ifPresent: schema)
        }
        writer.member("base", ifPresent: base)
        var table = NameTable(base: base ?? .zero)
        for row in rows { table.add(namesOf: row, graveDetails: graveDetails) }
        writer.member("names", table.names)
        writer.key("rows")
        writer.array {
            for row in rows { row.write(to: &$0, table, graveDetails: graveDetails) }
        }
    }
}

/// What rows of one part refer to: the user names, each once, by index, and the base of times.
private struct NameTable {
    let base: Timestamp
    private(set) var names: [UserName] = []
    private var indexes: [UserName: Int] = [:]

    init(base: Timestamp) { self.base = base }

    mutating func add(namesOf row: SnapshotPart.Row, graveDetails: Bool) {
        switch row {
        case .element(let element): add(element.by)
        case .grave(_, let grave?) where graveDetails:
            add(grave.last.by)
            add(grave.by)
        case .grave: break
        }
    }

    private mutating func add(_ name: UserName) {
        guard name != names.last, indexes[name] == nil else { return }
        indexes[name] = names.count
        names.append(name)
    }

    func index(of name: UserName) -> Int { indexes[name] ?? 0 }
}

/// A living element is `[ID,version,placed,name,at,FIELDS]`, a grave `"ID"`; in records also
/// `[ID,version,placed,name,at,FIELDS,version,name,at]`, the last three of its deletion.
extension SnapshotPart.Row {
    fileprivate init(
        json: JSONNode, names: [UserName], base: Timestamp?, graveDetails: Bool
    ) throws(DecodingFault) {
        if case .text = json.kind {
            self = .grave(try ElementID(json: json), nil)
            return
        }
        var cells = try json.array()
        let count = cells.count
        guard count == 6 || count == 9 && graveDetails else {
            throw .expected("an element ID, or an array of 6\(graveDetails ? " or 9" : "")")
        }
        let id: ElementID = try cells.read()
        let version: Version = try cells.read()
        let placed: Version = try cells.read()
        let by = try cells.name(in: names)
        let at = (try cells.read() as Timestamp).counted(from: base)
        let element = Element(
            id: id, fields: try cells.read(), version: version, placed: placed, by: by, at: at)
        guard count == 9 else {
            self = .element(element)
            return
        }
        let deleted: Version = try cells.read()
        let deleter = try cells.name(in: names)
        let deletedAt = (try cells.read() as Timestamp).counted(from: base)
        self = .grave(
            id, Grave(last: element, by: deleter, at: deletedAt, version: deleted))
    }

    fileprivate func write(
        to writer: inout JSONWriter, _ table: NameTable, graveDetails: Bool
    ) {
        switch self {
        case .element(let element): writer.array { element.writeCells(to: &$0, table) }
        case .grave(_, let grave?) where graveDetails:
            writer.array {
                grave.last.writeCells(to: &$0, table)
                grave.version.write(to: &$0)
                table.index(of: grave.by).write(to: &$0)
                grave.at.since(table.base).write(to: &$0)
            }
        case .grave(let id, _): id.write(to: &writer)
        }
    }
}

extension Element {
    fileprivate func writeCells(to writer: inout JSONWriter, _ table: NameTable) {
        id.write(to: &writer)
        version.write(to: &writer)
        placed.write(to: &writer)
        table.index(of: by).write(to: &writer)
        at.since(table.base).write(to: &writer)
        fields.write(to: &writer)
    }
}

extension Timestamp {
    /// Around the ends of 64 bits, where nobody is.
    fileprivate func since(_ base: Timestamp) -> Timestamp {
        Timestamp(milliseconds: milliseconds &- base.milliseconds)
    }

    fileprivate func counted(from base: Timestamp?) -> Timestamp {
        base.map { Timestamp(milliseconds: $0.milliseconds &+ milliseconds) } ?? self
    }
}

extension JSONArray {
    /// The next value as an index into the table of names.
    fileprivate mutating func name(in names: [UserName]) throws(DecodingFault) -> UserName {
        try read { node throws(DecodingFault) in
            let index = try node.whole(from: 0)
            guard index < names.count else { throw .expected("an index into \"names\"") }
            return names[Int(index)]
        }
    }
}
