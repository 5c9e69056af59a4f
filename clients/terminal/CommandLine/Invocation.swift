internal import ListModel
internal import ProgramArguments

/// A verb as it was called: its words, taken one after the other, and its flags.
struct Invocation {
    let verb: Verb
    var words: ArraySlice<String>
    let arguments: Arguments
    let settings: Settings
    let output: Output

    func has(_ flag: Flag) -> Bool { arguments.has(flag) }

    mutating func next(_ what: String) throws(Failure) -> String {
        guard let word = words.popFirst() else {
            throw .usage("\(verb.name) needs \(what): samelist \(verb.usage)")
        }
        return word
    }

    mutating func listName() throws(Failure) -> ListName {
        let text = try next("the name of a list")
        guard let name = ListName(text) else {
            throw .usage(
                "\(masked(text)) is no list name: 1-64 of a-z 0-9 . _ -, a letter or digit first.")
        }
        return name
    }

    /// What names elements: all remaining words.
    mutating func elementWords() throws(Failure) -> [String] {
        var found = [try next("an ID")]
        while let word = words.popFirst() { if !found.contains(word) { found.append(word) } }
        guard found.count <= Limits().operations else {
            throw .usage("\(verb.name) takes up to \(Limits().operations) IDs at a time.")
        }
        return found
    }

    /// All remaining words, which are assignments.
    mutating func assignments() throws(Failure) -> Fields {
        var fields = Fields()
        while let word = words.popFirst() {
            guard let (name, value) = Tokens.assignment(word) else {
                throw .usage("\(masked(word)) is no FIELD=VALUE.")
            }
            fields[name] = value
        }
        return fields
    }

    func end() throws(Failure) {
        if let word = words.first {
            throw .usage("\(verb.name) does not take \(masked(word)): samelist \(verb.usage)")
        }
    }

    /// The words that name a place, if any does.
    func place() throws(Failure) -> WordedPlace? {
        var places: [WordedPlace] = []
        if has(.first) { places.append(.first) }
        if has(.last) { places.append(.last) }
        if let word = arguments[.after] { places.append(.after(word)) }
        if let word = arguments[.before] { places.append(.before(word)) }
        guard places.count <= 1 else {
            throw .usage("\(verb.name) takes one of --first, --last, --after ID and --before ID.")
        }
        return places.first
    }
}

/// A place whose neighbour is named as people name elements.
enum WordedPlace {
    case first
    case last
    case after(String)
    case before(String)
}
