internal import ListModel

/// `{"id":"x","f":FIELDS,"v":12,"p":3,"by":"ana","at":…}`.
extension Element: JSONReadable, JSONWritable {
    init(json: JSONNode) throws(DecodingFault) {
        let object = try json.object()
        self.init(
            id: try object.read("id"), fields: try object.read("f"),
            version: try object.read("v"), placed: try object.read("p"),
            by: try object.read("by"), at: try object.read("at"))
    }

    func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("id", id)
            $0.member("f", fields)
            $0.member("v", version)
            $0.member("p", placed)
            $0.member("by", by)
            $0.member("at", at)
        }
    }
}

/// `{"alive":"x"}`, `{"deleted":ELEMENT,"v":14,"by":"bob","at":…}`, `{"unknown":"x"}`.
extension Fate: JSONReadable, JSONWritable {
    init(json: JSONNode) throws(DecodingFault) {
        let object = try json.object()
        if let id = try object.readIfPresent("alive", as: ElementID.self) {
            self = .alive(id)
        } else if let last = try object.readIfPresent("deleted", as: Element.self) {
            self = .deleted(
                Grave(
                    last: last, by: try object.read("by"), at: try object.read("at"),
                    version: try object.read("v")))
        } else {
            self = .unknown(try object.read("unknown"))
        }
    }

    func write(to writer: inout JSONWriter) {
        writer.object {
            switch self {
            case .alive(let id): $0.member("alive", id)
            case .unknown(let id): $0.member("unknown", id)
            case .deleted(let grave):
                $0.member("deleted", grave.last)
                $0.member("v", grave.version)
                $0.member("by", grave.by)
                $0.member("at", grave.at)
            }
        }
    }
}

/// `[SESSION,"ana",["x","y"]]`.
extension Presence: JSONReadable, JSONWritable {
    init(json: JSONNode) throws(DecodingFault) {
        var parts = try json.array()
        self.init(
            session: try parts.read(), name: try parts.read(), editing: try parts.read())
    }

    func write(to writer: inout JSONWriter) {
        writer.array {
            session.write(to: &$0)
            name.write(to: &$0)
            editing.write(to: &$0)
        }
    }
}

/// `{"list":"users","title":"…","version":12,"count":3,"open":2}`.
extension ListSummary: JSONReadable, JSONWritable {
    init(json: JSONNode) throws(DecodingFault) {
        let object = try json.object()
        self.init(
            name: try object.read("list"), title: try object.read("title"),
            version: try object.readIfPresent("version"), count: try object.readIfPresent("count"),
            open: try object.read("open"))
    }

    func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("list", name)
            $0.member("title", title)
            $0.member("version", ifPresent: version)
            $0.member("count", ifPresent: count)
            $0.member("open", open)
        }
    }
}
