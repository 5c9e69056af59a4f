/// By which entries an element got its content, or its grave, and its place.
package struct Mark: Equatable, Sendable {
    package var content: Version
    /// `nil` for a grave: nothing is conditional on the place of one.
    package var place: Version?

    package init(content: Version, place: Version?) {
        self.content = content
        self.place = place
    }
}

/// Marks of the elements of one mutation, nearly always of one alone, which takes no memory of its
/// own.
package struct Marks: Equatable, Sendable {
    private var id: ElementID?
    private var mark = Mark(content: .zero, place: nil)
    private var others: [ElementID: Mark] = [:]

    package init() {}

    package subscript(id: ElementID) -> Mark? {
        get { id == self.id ? mark : others[id] }
        set {
            if let newValue, self.id == nil || self.id == id, others[id] == nil {
                self.id = id
                mark = newValue
            } else if self.id == id {
                self.id = nil
            } else {
                others[id] = newValue
            }
        }
    }

    /// All of them, in no order.
    package var all: [(id: ElementID, mark: Mark)] {
        let others = self.others.map { (id: $0.key, mark: $0.value) }
        return id.map { [(id: $0, mark: mark)] + others } ?? others
    }

    package static func == (left: Marks, right: Marks) -> Bool {
        let all = left.all
        return all.count == right.all.count && all.allSatisfy { right[$0.id] == $0.mark }
    }
}
