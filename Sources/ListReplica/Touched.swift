package import ListModel

/// Which elements may look different from before, and on whose account.
package struct Touched: Sendable {
    /// `nil`: any of them.
    package private(set) var ids: Set<ElementID>? = []
    /// Who changed which, as far as it is known.
    package private(set) var by: [ElementID: UserName] = [:]

    package init() {}

    package var isEmpty: Bool { ids?.isEmpty ?? false }

    package mutating func add(_ ids: Set<ElementID>?, _ by: [ElementID: UserName] = [:]) {
        self.ids = self.ids?.isEmpty == true ? ids : ids.flatMap { self.ids?.union($0) }
        self.by.merge(by) { $1 }
    }

    package mutating func add(_ other: Touched) { add(other.ids, other.by) }
}
