internal import ListAuthority
internal import ListModel
internal import ListProtocol
internal import PairHarness

/// A server's core with logs in memory and two connections, to be told whatever clients may say.
package struct FuzzedServer {
    private let authority: Authority
    private let disk = Disk()
    private let decoder = MessageDecoder(limits: Limits())
    private var now = Timestamp(milliseconds: 1_767_225_600_000)
    private var connections = [ConnectionID(1), ConnectionID(2)]
    private var count: UInt64 = 2
    private var turn = 0

    package init() {
        var word = 0
        authority = Authority {
            word += 1
            return "w\(word)"
        }
        authority.handle(.started(lists: [], deletions: []), at: now)
        for id in connections { authority.handle(.connected(id), at: now) }
    }

    /// One client's bytes, then the other's. Who is thrown out comes back at once.
    package mutating func take(_ bytes: [UInt8]) {
        now = now.adding(milliseconds: 60)
        authority.handle(event(bytes, from: connections[turn]), at: now)
        turn = 1 - turn
        for id in settle() {
            count += 1
            let next = ConnectionID(count)
            authority.handle(.disconnected(id), at: now)
            connections = connections.map { $0 == id ? next : $0 }
            authority.handle(.connected(next), at: now)
        }
    }

    /// As the server's shell does it.
    private func event(_ bytes: [UInt8], from id: ConnectionID) -> Event {
        do throws(DecodingFault) {
            return .message(id, try decoder.decodeClientMessage(bytes))
        } catch {
            let refusal = Refusal(error.code, error.sentence)
            if let list = error.list, let n = error.n {
                return .refusedSubmission(id, list, n, refusal)
            }
            return .refused(id, refusal, request: error.request, list: error.list)
        }
    }

    /// Until nothing is left to be done; answers the connections that are to be closed.
    private func settle() -> [ConnectionID] {
        var closed: [ConnectionID] = []
        for _ in 0..<100 {
            for id in authority.takeDue() { deliver(to: id) }
            let work = authority.takeStorageWork()
            closed += authority.takeClosed().map(\.0)
            if work.isEmpty {
                authority.handle(.tick, at: now)
                return closed
            }
            for job in work { authority.handle(disk.perform(job, decoder), at: now) }
        }
        preconditionFailure("it goes on for ever")
    }

    private func deliver(to id: ConnectionID) {
        while true {
            let frames = authority.takeFrames(for: id, bytes: 1 << 16)
            if frames.isEmpty { return }
            for frame in frames {
                do throws(DecodingFault) {
                    _ = try decoder.decodeServerMessage(frame)
                } catch {
                    let text = String(decoding: frame, as: UTF8.self)
                    preconditionFailure("\(error.sentence): \(text)")
                }
            }
        }
    }

    /// Every log is loaded again.
    package func expectLoadable() {
        for stored in disk.names {
            precondition(disk.list(stored.name) != nil, "\(stored.name) cannot be loaded")
        }
    }
}
