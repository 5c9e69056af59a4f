public import ListModel
import ListReplica

@testable import Terminal

/// Names that the tests know to be right.
func id(_ text: String) -> ElementID {
    guard let id = ElementID(text) else { preconditionFailure("\(text) is no ID") }
    return id
}

func list(_ text: String) -> ListName {
    guard let name = ListName(text) else { preconditionFailure("\(text) is no list name") }
    return name
}

func name(_ text: String) -> FieldName {
    guard let name = FieldName(text) else { preconditionFailure("\(text) is no field name") }
    return name
}

func user(_ text: String) -> UserName {
    guard let name = UserName(text) else { preconditionFailure("\(text) is no name") }
    return name
}

func filter(_ text: String, _ fields: Fields) -> Filter { Filter(text: text, fields: fields) }

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral
{
    public init(stringLiteral text: String) { self = .text(text) }
    public init(integerLiteral number: Int64) { self = .int(number) }
    public init(booleanLiteral flag: Bool) { self = .bool(flag) }
}

/// A list of elements with these IDs, and graves of those that follow a minus.
func state(_ ids: String...) -> ListState {
    var state = ListState(head: Version(1), title: "", schema: nil)
    for text in ids {
        let isDead = text.hasPrefix("-")
        let element = Element(
            id: id(isDead ? String(text.dropFirst()) : text), fields: ["title": .text(text)],
            version: Version(1), placed: Version(1), by: user("ana"), at: .zero)
        let isNew =
            isDead ? state.append(graveOf: element.id, nil) : state.append(element)
        precondition(isNew, "\(text) stands twice")
    }
    return state
}
