internal import ListModel

/// Connecting, and opening typed lists.
extension ListClient {
    /// How this client stands with its server.
    public var connection: ConnectionState {
        _ = linkChanges
        if isStopped { return .refused(ListError(Self.stopped)) }
        let pending = lists.values.reduce(0) { $0 + $1.pendingCount }
        return ConnectionState(core.link, pending: pending, at: now)
    }

    /// Why there is no connection, where the last attempt told; `nil` once there is one.
    public var lastError: ListError? { trouble }

    /// Connects to a server, `ws://HOST:PORT`, `wss://HOST:PORT` or `HOST:PORT`, and stays
    /// connected until `stop`.
    ///
    /// `authorities` is a file of certificates in PEM that are trusted instead of the system's.
    ///
    /// Returns once the server has answered. Where it does not, and there is a copy of an earlier
    /// run in `state`, work begins offline with that; otherwise it throws.
    public static func connect(
        to server: String, credentials: Credentials, state: StatePlace = .memory,
        authorities caFile: String? = nil
    ) async throws(ListError) -> ListClient {
        guard let address = ServerAddress(server) else {
            throw ListError(
                .badAddress,
                "\"\(server)\" names no server of lists; give it as ws://HOST:PORT, or wss:// with "
                    + "TLS")
        }
        let client = try ListClient(
            connectingTo: address, as: credentials.name, keepingStateIn: state.folder,
            token: credentials.token, caFile: caFile)
        do throws(ListError) {
            try await client.untilConnected()
        } catch {
            client.stop()
            throw error
        }
        return client
    }

    /// Opens a list of elements of a type. It is answered once it is as the server has it, or,
    /// where the server does not answer within a few seconds, from the local copy. A list that is
    /// open already is answered again.
    public func open<Item: ListElement>(
        _ name: String, as type: Item.Type = Item.self, ifMissing: IfMissing = .fail
    ) async throws(ListError) -> LiveList<Item> {
        let list = try await open(name, create: ifMissing == .create)
        let key = ObjectIdentifier(Item.self)
        if let open = list.typed[key]?.object as? LiveList<Item> { return open }
        let typed = LiveList<Item>(list, of: self)
        list.typed[key] = Weak(typed)
        return typed
    }
}
