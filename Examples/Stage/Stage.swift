import Observation
public import Samelist

/// What every example needs beside its point: a server, two people, and a list of their own.
@MainActor
public struct Stage<Item: ListElement> {
    /// Ana's and bo's live copies of one list.
    public let ana: LiveList<Item>
    public let bo: LiveList<Item>
    /// Through which ana and bo are connected.
    public let clients: (ana: ListClient, bo: ListClient)

    /// Connects both to the server that the command line names, and fills a fresh list.
    public init(_ name: String, with items: [Item]) async throws {
        let server = CommandLine.arguments.dropFirst().first ?? "ws://127.0.0.1:7420"
        let list = "\(name)-\(ElementID.new())"
        clients.ana = try await .connect(to: server, credentials: .name("ana"))
        clients.bo = try await .connect(to: server, credentials: .name("bo"))
        ana = try await clients.ana.open(list, ifMissing: .create)
        bo = try await clients.bo.open(list)
        try await ana.append(contentsOf: items).acknowledged()
        await bothAgree()
    }

    /// Returns once bo sees what ana sees, and nothing of either is on its way.
    public func bothAgree() async {
        await until {
            ana.pendingCount == 0 && bo.pendingCount == 0
                && ana.map(\.id) == bo.map(\.id)
                && ana.map(\.meta.fields) == bo.map(\.meta.fields)
        }
    }

    /// Ends both connections.
    public func end() {
        clients.ana.stop()
        clients.bo.stop()
    }
}

/// Returns once it holds. What it reads is observed; nothing is asked again and again.
@MainActor
public func until(_ holds: @escaping @MainActor () -> Bool) async {
    for await isSo in Observations({ holds() }) where isSo { return }
}
