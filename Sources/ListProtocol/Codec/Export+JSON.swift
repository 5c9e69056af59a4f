internal import ListModel

extension ExportLine: JSONWritable {
    init(json: JSONNode, within bounds: Bounds) throws(DecodingFault) {
        let object = try json.object()
        if object.member("samelist") != nil {
            self = try Self.begin(object)
        } else if object.member("list") != nil {
            self = .list(try List(object, within: bounds))
        } else if object.member("id") != nil {
            self = try Self.row(object, within: bounds)
        } else if object.member("end") != nil {
            self = .end(try Count(object))
        } else {
            throw DecodingFault(.malformed, "is no line of an export")
        }
    }

    private static func begin(_ object: JSONObject) throws(DecodingFault) -> ExportLine {
        let what: String = try object.read("samelist")
        guard what == "export" else { throw .expected("\"export\"").inside("samelist") }
        return .begin(format: try object.read("format"), at: try object.read("at"))
    }

    private static func row(
        _ object: JSONObject, within bounds: Bounds
    ) throws(DecodingFault) -> ExportLine {
        let element = Element(
            id: try object.read("id"),
            fields: try object.read("fields") { node throws(DecodingFault) in
                try Fields(json: node, within: bounds).withoutNulls
            },
            version: try object.read("version"), placed: try object.read("placed"),
            by: try object.read("by"), at: try object.read("at"))
        guard object.member("deleted") != nil else { return .element(element) }
        return try object.read("deleted") { node throws(DecodingFault) in
            let death = try node.object()
            return .grave(
                Grave(
                    last: element, by: try death.read("by"), at: try death.read("at"),
                    version: try death.read("version")))
        }
    }

    func write(to writer: inout JSONWriter) {
        writer.object {
            switch self {
            case .begin(let format, let at):
                $0.member("samelist", "export")
                $0.member("format", format)
                $0.member("at", at)
            case .list(let list): list.writeMembers(to: &$0)
            case .element(let element): element.writeMembers(to: &$0)
            case .grave(let grave):
                grave.last.writeMembers(to: &$0)
                $0.key("deleted")
                $0.object {
                    $0.member("version", grave.version)
                    $0.member("by", grave.by)
                    $0.member("at", grave.at)
                }
            case .end(let count):
                $0.member("end", "export")
                $0.member("lists", count.lists)
                $0.member("elements", count.elements)
                $0.member("deleted", count.graves)
            }
        }
    }
}

extension Element {
    /// In whole words, as people and other programs read them.
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", id)
        writer.member("fields", fields)
        writer.member("version", version)
        writer.member("placed", placed)
        writer.member("by", by)
        writer.member("at", at)
    }
}

extension ExportLine.List {
    fileprivate init(_ object: JSONObject, within bounds: Bounds) throws(DecodingFault) {
        self.init(
            name: try object.read("list"), tenant: try object.readIfPresent("tenant"),
            title: try object.readIfPresent("title", bounds.title) ?? "",
            schema: try object.readIfPresent("schema") { node throws(DecodingFault) in
                try Schema(json: node, within: bounds)
            },
            version: try object.read("version"), at: try object.read("at"))
    }

    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("list", name)
        writer.member("tenant", ifPresent: tenant)
        if !title.isEmpty { writer.member("title", title) }
        writer.member("schema", ifPresent: schema)
        writer.member("version", version)
        writer.member("at", at)
    }
}

extension ExportLine.Count {
    fileprivate init(_ object: JSONObject) throws(DecodingFault) {
        self.init()
        lists = try object.read("lists")
        elements = try object.read("elements")
        graves = try object.read("deleted")
    }
}
