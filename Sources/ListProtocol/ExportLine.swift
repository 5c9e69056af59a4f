package import ListModel

/// A line of an export: whole lists as text that other programs can read, too.
///
/// The first line says what it is, then comes a line for each list with its rows behind it, and the
/// last counts them all, so that one that was cut short is noticed.
package enum ExportLine: Hashable, Sendable {
    /// When it was made.
    case begin(format: Int, at: Timestamp)
    case list(List)
    case element(Element)
    /// A deleted element, in its place among the others.
    case grave(Grave)
    case end(Count)

    /// The only one there is.
    package static let format = 1

    package struct List: Hashable, Sendable {
        package let name: ListName
        /// `nil`: it belongs to no tenant.
        package let tenant: String?
        package let title: String
        package let schema: Schema?
        package let version: Version
        /// Of its last entry.
        package let at: Timestamp

        package init(
            name: ListName, tenant: String?, title: String, schema: Schema?, version: Version,
            at: Timestamp
        ) {
            self.name = name
            self.tenant = tenant
            self.title = title
            self.schema = schema
            self.version = version
            self.at = at
        }
    }

    package struct Count: Hashable, Sendable {
        package var lists = 0
        package var elements = 0
        package var graves = 0

        package init() {}
    }
}
