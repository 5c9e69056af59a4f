import Foundation
import ListModel
import ListProtocol
import Storage
import Testing

@Suite("A long log") struct LongLogTests {
    /// A list of this many entries, an insert each, as a server would have logged them.
    private func write(_ count: Int, to folder: String) throws {
        let store = try SQLiteLogStorage.open(folder: folder)
        defer { store.close() }
        try store.create("long", epoch: "one.two")
        let by = try #require(UserName("ana"))
        let client = try #require(ClientID("ana"))
        var records: [[UInt8]] = []
        var last = Anchor.first
        for number in 1...count {
            let id = try #require(ElementID("row-\(number)"))
            let entry = Entry(
                version: Version(UInt64(number)), at: Timestamp(milliseconds: Int64(number)),
                by: by, client: client, n: MutationNumber(UInt64(number)),
                operations: [
                    .insert(id, after: last, Fields([.title: .text("Title of row \(number)")]))
                ],
                heard: MutationNumber(UInt64(number) - 1))
            records.append(MessageEncoder.encodeEntryRecord(entry))
            last = .after(id)
        }
        try store.append(records, to: "long", after: 0)
    }

    @Test func `of 100,000 entries holds no start up`() throws {
        let folder = try temporaryFolder()
        try write(100_000, to: folder.path + "/samelist-data")
        let start = ContinuousClock.now
        let (daemon, _, port) = try Daemon.serving(in: folder)
        #expect(try RawSocket.get("/readyz", port: port).status == 200)
        // In a release build it is 0.2 s; here others may be using the machine.
        #expect(ContinuousClock.now - start < .seconds(10))
        daemon.signal(SIGTERM)
        #expect(daemon.end().output.hasSuffix("done, 100000 changes on disk.\n"))
    }
}
