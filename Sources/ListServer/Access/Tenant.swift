internal import ListModel

/// Whose lists a token opens. Tenants with equal names of lists never meet: each has an authority
/// and names in the storage of its own.
package struct Tenant: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// The lists of a server that knows no tenants.
    package static let unnamed = Tenant(known: "")

    private init(known text: String) { self.text = text }

    /// `nil` unless it is 1-64 of `a-z 0-9 . _ -`, a letter or digit first.
    package init?(_ text: String) {
        guard ListName(text) != nil else { return nil }
        self.text = text
    }

    package var description: String { text }

    /// Under which the storage has a log of this tenant: no name of a list holds a slash.
    func key(_ log: String) -> String { text.isEmpty ? log : "\(text)/\(log)" }

    func key(_ list: ListName) -> String { key(list.text) }

    /// What `key` made; `nil` for what is no list.
    static func list(ofKey key: String) -> (tenant: Tenant, name: ListName)? {
        let (tenant, log) = parts(ofKey: key)
        guard let tenant, let name = ListName(log) else { return nil }
        return (tenant, name)
    }

    /// Whose log stands under a key, and what it is called there; no tenant: nobody's.
    static func parts(ofKey key: String) -> (tenant: Tenant?, log: String) {
        guard let slash = key.firstIndex(of: "/") else { return (Tenant.unnamed, key) }
        return (Tenant(String(key[..<slash])), String(key[key.index(after: slash)...]))
    }
}
