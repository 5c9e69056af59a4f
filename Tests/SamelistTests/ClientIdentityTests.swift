import Foundation
import ListModel
import ListProtocol
import ListReplica
import Testing

@testable import Samelist

@Suite("Where a client keeps its state") struct ClientIdentityTests {
    @Test(arguments: [".", "..", "../..", ".ana", "a/b", "ana"])
    func `a name leads nowhere else`(name: String) throws {
        let folder = NSTemporaryDirectory() + "identity-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let user = try #require(UserName(name))
        let identity = try ClientIdentity.take(
            in: folder, server: .local, name: user, kind: "app")
        defer { identity.store.close() }
        let file = try #require(identity.file)
        let parts = file.dropFirst(folder.count).split(separator: "/")
        #expect(file.hasPrefix(folder + "/"))
        #expect(parts.count == 3)
        #expect(parts.allSatisfy { !$0.hasPrefix(".") })
    }

    @MainActor @Test func `a full disk is told with the file that is on it`() throws {
        let folder = NSTemporaryDirectory() + "identity-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let user = try #require(UserName("ana"))
        let list = try #require(ListName("food"))
        let identity = try ClientIdentity.take(
            in: folder, server: .local, name: user, kind: "app")
        defer { identity.store.close() }
        let disk = FullDisk()
        let client = ListClient(server: .local, name: user, identity: identity, in: disk)
        defer { client.stop() }
        try client.perform { core, now throws(Refusal) in
            try core.open(list, at: now)
            core.jot("Tea", in: list, at: now)
        }
        disk.receive([.notSaved("The disk is full.")])
        let told = try #require(client.core.saveFailure)
        #expect(told.hasPrefix("The disk is full. "))
        #expect(told.contains(folder), "\(told)")
    }
}

/// Surroundings that keep nothing and lead nowhere.
private final class FullDisk: Surroundings {
    var receive: ([Arrival]) -> Void = { _ in }
    let now = Timestamp.zero
    let jitter: @Sendable () -> Int64 = { 500 }

    func connect() {}
    func send(_ messages: [ClientMessage]) {}
    func disconnect() {}
    func save(_ writes: [StateWrite], ticket: UInt64) {}
    func wake(at time: Timestamp, for reason: Alarm, while isWanted: @escaping () -> Bool) {}
    func rest() {}
    func stop(saving writes: [StateWrite]) {}
}
