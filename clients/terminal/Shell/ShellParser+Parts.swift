internal import ListModel

/// What the commands are made of.
extension ShellParser {
    mutating func flag(_ name: String) -> Bool { options.removeValue(forKey: name) != nil }

    mutating func next(_ what: String) throws(UsageFault) -> String {
        guard !words.isEmpty else { throw UsageFault("\(verb) needs \(what)") }
        return Tokens.text(words.removeFirst())
    }

    mutating func listName() throws(UsageFault) -> ListName {
        let text = try next("the name of a list")
        guard let name = ListName(text) else {
            throw UsageFault(
                "\(text) is no list name: 1-64 of a-z 0-9 . _ -, a letter or digit first")
        }
        return name
    }

    mutating func id() throws(UsageFault) -> ElementID { try Self.id(try next("an ID")) }

    static func id(_ text: String) throws(UsageFault) -> ElementID {
        guard let id = ElementID(text) else {
            throw UsageFault("\(text) is no ID: 1-64 printable ASCII characters without spaces")
        }
        return id
    }

    mutating func ids() throws(UsageFault) -> [ElementID] {
        var ids = [try id()]
        while !words.isEmpty { ids.append(try id()) }
        return ids
    }

    mutating func idOption() throws(UsageFault) -> ElementID? {
        guard case .some(.some(let text)) = options.removeValue(forKey: "--id") else { return nil }
        return try Self.id(Tokens.text(text))
    }

    mutating func place() throws(UsageFault) -> Place? {
        var places: [Place] = []
        if flag("--first") { places.append(.first) }
        if flag("--last") { places.append(.last) }
        if case .some(.some(let text)) = options.removeValue(forKey: "--after") {
            places.append(.after(try Self.id(Tokens.text(text))))
        }
        if case .some(.some(let text)) = options.removeValue(forKey: "--before") {
            places.append(.before(try Self.id(Tokens.text(text))))
        }
        guard places.count <= 1 else { throw UsageFault("\(verb) takes one place") }
        return places.first
    }

    mutating func assignments() throws(UsageFault) -> Fields {
        var fields = Fields()
        for word in words {
            guard let (name, value) = Tokens.assignment(word) else {
                throw UsageFault("\(word) is no FIELD=VALUE")
            }
            fields[name] = value
        }
        words = []
        return fields
    }

    mutating func fieldName() throws(UsageFault) -> FieldName {
        let text = try next("a field")
        guard let name = FieldName(text) else {
            throw UsageFault("\(text) is no field name: 1-64 bytes, no control characters")
        }
        return name
    }
}
