package import ListModel

/// Under which keys a client keeps what must survive it. Numbers are padded, so that keys sort like
/// them.
package enum StateKeys {
    package static let client = "client"

    package static func list(_ name: ListName) -> String { "list/\(name)/" }
    /// What came from the server: gone when the list is fetched anew.
    static func contents(of name: ListName) -> String { list(name) + "c/" }
    static func parts(of name: ListName) -> String { contents(of: name) + "part/" }
    static func entries(of name: ListName) -> String { contents(of: name) + "entry/" }
    static func position(of name: ListName) -> String { list(name) + "position" }
    static func allPending(in name: ListName) -> String { list(name) + "pending/" }
    static func allEditors(in name: ListName) -> String { list(name) + "editor/" }

    static func note(of name: ListName) -> String { list(name) + "note" }

    static func part(_ index: Int, of name: ListName) -> String {
        parts(of: name) + padded(UInt64(index))
    }

    static func entry(_ version: Version, of name: ListName) -> String {
        entries(of: name) + padded(version.number)
    }

    static func pending(_ n: MutationNumber, in name: ListName) -> String {
        allPending(in: name) + padded(n.number)
    }

    static func editor(_ id: ElementID, in name: ListName) -> String {
        allEditors(in: name) + id.text
    }

    /// What is kept under a key of a list.
    package enum Part {
        case pending
        case editor
        case note
        case other
    }

    /// The list to which a key belongs; `nil` where it belongs to none.
    package static func part(of key: String) -> (list: String, part: Part)? {
        let words = key.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard words.count >= 3, words[0] == "list" else { return nil }
        let part: Part =
            switch words[2] {
            case "pending": .pending
            case "editor": .editor
            case "note": .note
            default: .other
            }
        return (String(words[1]), part)
    }

    private static func padded(_ number: UInt64) -> String {
        padded(number, behind: "")
    }

    /// 20 digits, as many as the highest number has.
    fileprivate static func padded(_ number: UInt64, behind prefix: String) -> String {
        let length = prefix.utf8.count
        return String(unsafeUninitializedCapacity: length + 20) { buffer in
            _ = buffer.initialize(fromContentsOf: prefix.utf8)
            var rest = number
            for at in (length..<length + 20).reversed() {
                buffer[at] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            }
            return length + 20
        }
    }
}

/// The keys of one list that are asked for all the time.
struct ListKeys {
    let position: String
    private let allPending: String
    private let entries: String

    init(_ name: ListName) {
        position = StateKeys.position(of: name)
        allPending = StateKeys.allPending(in: name)
        entries = StateKeys.entries(of: name)
    }

    func pending(_ n: MutationNumber) -> String {
        StateKeys.padded(n.number, behind: allPending)
    }

    func entry(_ version: Version) -> String {
        StateKeys.padded(version.number, behind: entries)
    }
}
