import ListModel
import ListProtocol
import Testing

@testable import LoadTest

@Suite("Snapshots are proved by the log") struct RowProofTests {
    private let decoder = MessageDecoder(limits: Limits())
    private let told: Told

    init() throws { told = try Told(20) }

    private func log() -> SharedLog {
        var readers = Readers(told)
        _ = readers.read(told.frame(1, 20), after: 0)
        return readers.log
    }

    /// All parts as one client gets them; its faults.
    private func take(_ parts: [[UInt8]], _ snapshots: inout SharedSnapshots) -> [Flaw] {
        var progress: SharedSnapshots.Progress?
        var flaws: [Flaw] = []
        for part in parts {
            switch part.withUnsafeBytes({ snapshots.take($0, progress, decoder) }) {
            case .success(let next): progress = next
            case .failure(let fault): flaws.append(fault.flaw)
            }
        }
        if flaws.isEmpty { #expect(progress?.isWhole == true) }
        return flaws
    }

    @Test func `true ones at several versions are kept once and found true`() throws {
        var snapshots = SharedSnapshots(list: told.list)
        for version in [20, 7, 13, 7] {
            #expect(take(try told.snapshot(at: version), &snapshots) == [])
        }
        #expect(snapshots.versions == [7, 13, 20])
        #expect(RowProof.flaws(in: snapshots, of: log(), decoder) == [])
    }

    @Test(arguments: 0..<4) func `each way in which rows may be wrong is found`(way: Int) throws {
        let parts = try told.snapshot(at: 13) { rows in
            switch way {
            case 0: rows.removeLast()
            case 1: rows.swapAt(0, 1)
            case 2: rows[2] = rows[2].changed
            default: rows[3] = .grave(rows[3].id, nil)
            }
        }
        var snapshots = SharedSnapshots(list: told.list)
        #expect(take(parts, &snapshots) == [])
        let flaws = RowProof.flaws(in: snapshots, of: log(), decoder)
        #expect(flaws.count == 1 && flaws.allSatisfy { $0.weight == 1 }, "\(flaws)")
    }

    @Test func `entries that a snapshot has and nobody got are lost, not wrong`() throws {
        var snapshots = SharedSnapshots(list: told.list)
        _ = take(try Told(25).snapshot(at: 25), &snapshots)
        let flaws = RowProof.flaws(in: snapshots, of: log(), decoder)
        #expect(flaws == [.lost(told.list, 5)])
    }

    @Test func `a part that is missing, comes twice or differs is noticed`() throws {
        let parts = try told.snapshot(at: 20)
        var snapshots = SharedSnapshots(list: told.list)
        #expect(take([parts[0], parts[2]], &snapshots).count == 1)
        #expect(take([parts[0], parts[0]], &snapshots).count == 1)
        #expect(take(parts, &snapshots) == [])
        let others = try told.snapshot(at: 20) { $0[1] = $0[1].changed }
        #expect(take(others, &snapshots).isEmpty == false)
    }
}

extension SnapshotPart.Row {
    fileprivate var id: ElementID {
        switch self {
        case .element(let element): element.id
        case .grave(let id, _): id
        }
    }

    /// With another title.
    fileprivate var changed: SnapshotPart.Row {
        guard case .element(var element) = self else { return self }
        element.fields[.title] = .text("another")
        return .element(element)
    }
}
