internal import ListAuthority
internal import ListModel

/// Whom a token lets in, where to, and by what it was found to be good.
struct Admission: Equatable {
    enum Proof: Hashable {
        /// The token of this ID.
        case token(String)
        /// A token that was signed with the key of this fingerprint.
        case key([UInt8])
    }

    let proof: Proof
    let tenant: Tenant
    let access: Access
}
