// A list of users, and five kinds of screens for one of them. The user is deleted from inside the
// screen, by somebody else, or before the screen is open; as the first, a middle, the last, or the
// only one. Every screen says what happened, and all positions are alike.
import Samelist
import Stage

enum Way: String, CaseIterable {
    case inside = "deleted here"
    case outside = "deleted by bo"
    case opening = "deleted before it opened"
}

enum Position: CaseIterable {
    case first, middle, last, only
}

enum Kind: String, CaseIterable {
    case readOnly = "read-only"
    case checking, draft, editable, linked
}

let stage = try await Stage<User>("users", with: [])

/// Opens a screen of a kind on the user at a position, deletes the user in some way, and answers
/// what the screen says.
@MainActor
func play(_ kind: Kind, _ way: Way, _ position: Position) async throws -> String {
    let users = (position == .only ? ["Ann"] : ["Ann", "Ann", "Ann"]).map { User(name: $0) }
    try await stage.ana.append(contentsOf: users).acknowledged()
    await stage.bothAgree()
    let index = position == .middle ? 1 : position == .last ? 2 : 0
    let id = users[index].id
    if way == .opening { try await delete(id, way) }
    let text: String
    do {
        let screen = try await open(kind, id)
        if way != .opening { try await delete(id, way) }
        if let screen = screen as? EditableScreen { screen.rename("Ann Lee") }
        text = screen.text
    } catch let error as ListError {
        text = "not opened: \(error.sentence)"
    }
    try await stage.ana.rows.remove(atOffsets: stage.ana.indices).acknowledged()
    await stage.bothAgree()
    return text.replacing(id.text, with: "the user")
}

@MainActor
func open(_ kind: Kind, _ id: User.ID) async throws -> any Screen {
    let users = stage.ana
    switch kind {
    case .readOnly: return try ReadOnlyScreen(users, id)
    case .checking: return CheckingScreen(users: users, id: id)
    case .draft: return try DraftScreen(users, id)
    case .editable: return try EditableScreen(users, id)
    case .linked: return try await LinkedScreen(stage.clients.ana, users.name, id)
    }
}

@MainActor
func delete(_ id: User.ID, _ way: Way) async throws {
    try await (way == .inside ? stage.ana : stage.bo).remove(id).acknowledged()
    await stage.bothAgree()
}

for kind in Kind.allCases {
    print("\(kind.rawValue):")
    for way in Way.allCases {
        var texts: Set<String> = []
        for position in Position.allCases { texts.insert(try await play(kind, way, position)) }
        print("  \(way.rawValue): \(texts.sorted().joined(separator: " / "))")
    }
}
stage.end()
