internal import ListAuthority
internal import ListModel
internal import ListProtocol
internal import Storage
internal import WebSockets

/// One tenant's part of the server: an authority of its own, so that nothing of another's is in its
/// reach. All realms share the sockets and the storage.
final class Realm: @unchecked Sendable {
    // because all of it is touched on the loop's thread alone, as its service is.

    let tenant: Tenant
    let authority: Authority
    /// Whether the next pump is to look at it.
    var isDue = false
    /// Something else than time has passed since the last pump.
    var isActive = false
    var tick: (at: Timestamp, timer: LoopTimer)?

    init(
        _ tenant: Tenant, _ options: ServerOptions, _ limits: Limits, _ room: SnapshotRoom
    ) {
        self.tenant = tenant
        authority = Authority(
            limits: limits, history: options.history, snapshotRoom: room, freshWord: freshWord)
    }
}

extension Service {
    /// That of a tenant, made when the first of its clients comes.
    func realm(of tenant: Tenant) -> Realm {
        if let realm = realms[tenant] { return realm }
        let realm = Realm(tenant, options, limits, snapshotRoom)
        realms[tenant] = realm
        if !gate.isOpen { handle(.accessDemanded, in: realm) }
        // Before that its authority is loading, and whoever comes waits.
        if let storage = serving?.storage { begin(realm, storage) }
        return realm
    }

    /// Tells a realm what the storage holds of it.
    func begin(_ realm: Realm, _ storage: StorageThread<ArchiveWorkload>) {
        jobs += 1
        storage.post(
            .perform { [self] archive in
                let archive = archive.of(realm.tenant)
                let result: Result<[Deletion], any Error> = Result { try archive.openDeletions() }
                let names = archive.names
                loop.post { [self] in
                    jobs -= 1
                    began(realm, names, result)
                }
            })
    }

    private func began(
        _ realm: Realm, _ names: [StoredName], _ deletions: Result<[Deletion], any Error>
    ) {
        switch deletions {
        case .success(let deletions):
            handle(.started(lists: names, deletions: deletions), in: realm)
        case .failure(let error):
            log(.error, "storage-failed", ["tenant": realm.tenant.text, "reason": "\(error)"])
            for session in sessions.values where session.realm === realm {
                session.connection.close(code: CloseCode.goingAway.rawValue, reason: "")
            }
            realms[realm.tenant] = nil
        }
    }
}
