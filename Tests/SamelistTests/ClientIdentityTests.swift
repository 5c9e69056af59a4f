import Foundation
import ListModel
import Samelist
import Testing

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
}
