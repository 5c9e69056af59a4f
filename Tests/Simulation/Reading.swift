internal import ListModel
internal import ListProtocol

/// What one connection is sent of the list: every entry once and in order, from where it was opened
/// or from a snapshot on, up to where "caught up" says. A client drops what it knows already, so
/// that only here it shows.
struct Reading {
    /// Where an `open` that was sent stands, `nil`: nowhere, the whole list comes.
    private struct Opening {
        let position: Version?
    }

    private var connection = 0
    /// The entry that came last; `nil`: only a snapshot may come.
    private var cursor: Version?
    /// Sent and not answered yet. Until then what comes may belong to what was open before.
    private var opening: Opening?
    /// The part of a snapshot that came last.
    private var part: SnapshotPart?

    mutating func sent(_ open: ClientMessage.Open, on connection: Int) {
        begin(connection)
        opening = Opening(position: open.position?.version)
    }

    private mutating func begin(_ connection: Int) {
        guard connection != self.connection else { return }
        self = Reading()
        self.connection = connection
    }

    /// Answers what is wrong with this being sent.
    mutating func heard(_ message: ServerMessage, on connection: Int) -> String? {
        begin(connection)
        switch message {
        case .snapshot(_, let part): return take(part)
        case .entries(_, let entries):
            for entry in entries { if let fault = take(entry) { return fault } }
        case .caughtUp(_, let position, _, _): return catchUp(position.version)
        case .gone: self = Reading()
        default: break
        }
        return nil
    }

    private mutating func take(_ next: SnapshotPart) -> String? {
        if next.index == 0 {
            opening = nil
        } else if part?.index != next.index - 1 || part?.position != next.position {
            return "is sent part \(next.index) of a snapshot behind \(part?.index as Any)"
        }
        part = next.isLast ? nil : next
        cursor = next.isLast ? next.position.version : nil
        return nil
    }

    private mutating func take(_ entry: Entry) -> String? {
        if cursor?.next != entry.version, opening?.position?.next == entry.version {
            opening = nil
        } else if cursor?.next != entry.version {
            return "is sent entry \(entry.version) behind \(cursor?.description ?? "nothing")"
        }
        cursor = entry.version
        return nil
    }

    private mutating func catchUp(_ version: Version) -> String? {
        defer { (cursor, opening) = (version, nil) }
        let position = opening?.position
        if cursor == version || position == version { return nil }
        return "has caught up with \(version) behind \(cursor?.description ?? "nothing")"
    }
}
