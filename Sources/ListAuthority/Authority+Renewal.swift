internal import ListModel
internal import ListProtocol

/// A client that knows more of a log than the log does: entries were told and then lost, by a disk
/// that lied or by files put back. What is left goes on as another log of the same list, since the
/// versions that were lost will be given again: nobody may take the one for the other.
///
/// ```
/// open ahead ──▶ what stands behind our head? ──nothing──▶ renewing ──▶ a snapshot to everybody
///                         └─ enough: another node wrote it; the open is answered as ever
/// ```
extension Authority {
    func isAhead(_ open: ClientMessage.Open, of list: HostedList) -> Bool {
        guard let at = open.position else { return false }
        guard at.epoch == list.epoch else { return false }
        return at.version > list.durable || !isSameEntry(at.version, open.last, list)
    }

    /// Whether a client's last entry is the one that the log has under its version: what was lost
    /// may have been followed by as much again before the client came back. Known of the entries in
    /// the tail.
    private func isSameEntry(_ version: Version, _ at: Timestamp?, _ list: HostedList) -> Bool {
        guard let at, version > list.tail.before, version <= list.tail.head,
            let record = list.tail.records(after: Version(version.number - 1), bytes: 0)?.first,
            let entry = try? decoder.decodeEntryRecord(record)
        else { return true }
        return entry.at == at
    }

    /// Until it is known whether the log was shortened, or only this memory of it is old.
    func wait(_ open: ClientMessage.Open, _ id: ConnectionID, _ list: HostedList) {
        guard list.ahead.count < limits.early else {
            return close(id, .tooManyRequests, "the list is read anew", retry: 1_000)
        }
        list.ahead.append((id, open))
        dirty.insert(list.name)
    }

    /// Our own append may be what the client knows of, so the log is free when this is asked.
    func lookAhead(of list: HostedList) {
        list.append = .conflicted
        work.append(.readForeign(list.name, after: list.durable))
    }

    /// After the log was read to its end.
    func renewIfShort(_ list: HostedList) {
        let ahead = list.ahead
        list.ahead = []
        guard list.removal == nil, ahead.contains(where: { isAhead($1, of: list) }) else {
            return replay(ahead.map { ($0, .open($1)) })
        }
        list.ahead = ahead
        let epoch = Epoch(list: list.epoch.list, log: freshWord())
        list.append = .renewing(epoch)
        work.append(.renew(list.name, epoch))
    }

    /// Everybody opens the list anew, and hears the difference: those who were ahead at once, the
    /// others on another connection. Work without an outcome comes again with its client.
    func renewed(_ name: ListName, _ epoch: Epoch, _ refusal: Refusal?) {
        guard let list = hosted(name), list.append == .renewing(epoch) else { return }
        list.append = .free
        dirty.insert(name)
        let ahead = list.ahead
        list.ahead = []
        if let refusal {
            for (id, _) in ahead { close(id, .outOfStep, refusal.sentence, retry: 1_000) }
            return
        }
        list.epoch = epoch
        list.frames = SharedFrames()
        list.pages = KeptPages()
        for id in list.subscriptions.keys {
            close(id, .outOfStep, "the log of \(name) was replaced", retry: 0)
        }
        replay(ahead.map { ($0, .open($1)) })
    }
}
