import Foundation
import ListModel
import ListProtocol
import WebSockets

/// Many clients of one real server that share a list, on one event loop. Ends them with its last
/// reference.
final class Crowd: @unchecked Sendable {
    // because all that changes is touched on the loop's thread alone.

    let loop: EventLoop
    let list: ListName
    let decoder = MessageDecoder(limits: Limits())
    private let endpoint: WebSocketClient.Endpoint
    private var members: [Member] = []
    /// Whether those that write go on doing so.
    private(set) var isWriting = true
    /// When the tokens of some users expire: nothing of theirs may be logged from then on.
    private(set) var expiries: [String: Timestamp] = [:]
    private var awaited: (isSo: ([Member]) -> Bool, told: DispatchSemaphore)?

    init(_ list: String, of endpoint: WebSocketClient.Endpoint) throws {
        guard let list = ListName(list) else { throw Unexpected(list) }
        self.list = list
        self.endpoint = endpoint
        loop = try EventLoop()
    }

    deinit { loop.stop() }

    /// Connects `count` more for a user's token, of which the first writes.
    func add(_ count: Int, of user: String, _ token: String) {
        loop.perform { [self] in
            for index in 0..<count {
                let member = Member(members.count, of: user, token, writes: index == 0, in: self)
                members.append(member)
                member.connect(to: endpoint)
            }
        }
    }

    /// Waits until it is so; looked at whenever one of them is told something but entries.
    func wait(
        _ what: String, seconds: Int = 200, until isSo: @escaping @Sendable ([Member]) -> Bool
    ) throws {
        let told = DispatchSemaphore(value: 0)
        loop.post { [self] in
            awaited = (isSo, told)
            look()
        }
        guard told.wait(timeout: .now() + .seconds(seconds)) == .success else {
            throw Unexpected("never \(what): \(ask { Self.summary($0) })")
        }
    }

    /// Answers a question about the members, on their thread.
    func ask<Answer: Sendable>(_ question: @escaping @Sendable ([Member]) -> Answer) -> Answer {
        loop.perform { [self] in question(members) }
    }

    /// All write some more, and the wait that 99 of 100 mutations were within is answered.
    func waits(of count: UInt64) throws -> Duration {
        loop.perform { [self] in for member in members { member.forgetWaits() } }
        try untilWritten(count) { _ in true }
        return ask { members in
            let all = members.flatMap(\.waited).sorted()
            return all.isEmpty ? .zero : all[all.count * 99 / 100]
        }
    }

    /// From when on entries of these users are none that may come.
    func noteExpiry(of users: Set<String>) {
        loop.perform { [self] in
            for member in members where users.contains(member.user) {
                expiries[member.user] = member.expires
            }
        }
    }

    /// Called on the loop.
    func look() {
        guard let awaited, awaited.isSo(members) else { return }
        self.awaited = nil
        awaited.told.signal()
    }

    /// All of these have the list, and their writers have written `count` times since now.
    func untilWritten(_ count: UInt64, by isMeant: @escaping @Sendable (Member) -> Bool) throws {
        let before = ask { members in members.map(\.answered) }
        try wait("written \(count) times") { members in
            members.allSatisfy { member in
                guard isMeant(member) else { return true }
                let from = member.number < before.count ? before[member.number] : 0
                return member.isReady && (!member.writes || member.answered >= from + count)
            }
        }
    }

    /// Nobody writes any more, and all who stay have been told everything. Answers what there is
    /// to complain of those.
    func settle(those isMeant: @escaping @Sendable (Member) -> Bool) throws -> [String] {
        loop.perform { [self] in isWriting = false }
        try wait("answered") { $0.filter(isMeant).allSatisfy { !$0.waits } }
        loop.perform { [self] in for member in members where isMeant(member) { member.ask() } }
        try wait("caught up") { $0.filter(isMeant).allSatisfy { $0.asked != nil } }
        return ask { members in
            let those = members.filter(isMeant)
            let head = those.first?.head
            return those.flatMap { member in
                var complaints = member.faults
                if let closed = member.closed { complaints.append("closed: \(closed)") }
                if let gone = member.gone { complaints.append("gone: \(gone)") }
                complaints += member.errors.map { "error: \($0)" }
                if member.head != head || member.asked != head {
                    complaints.append("stands at \(String(describing: member.head))")
                }
                return complaints
            }
        }
    }

    private static func summary(_ members: [Member]) -> String {
        let ready = members.count { $0.isReady }
        let closed = members.count { $0.closed != nil }
        let faults = members.flatMap(\.faults).prefix(5)
        return "\(members.count) members, \(ready) ready, \(closed) closed, faults \(faults)"
    }
}
