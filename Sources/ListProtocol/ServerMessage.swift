package import ListModel

/// What a server says: one JSON object a message.
package enum ServerMessage: Hashable, Sendable {
    case welcome(Welcome)
    case snapshot(ListName, SnapshotPart)
    /// Entries in log order, dense, right behind what was sent before.
    case entries(ListName, [Entry])
    /// Everything up to `position` has been sent. `logged` are the mutations of this client, above
    /// what it had heard when it opened the list, that are in the log up to there: it must not show
    /// them twice. `highest` is the newest of all its mutations in the log, zero where there is
    /// none: a client that never sent it was set back to an earlier copy of its state.
    case caughtUp(
        ListName, Position, logged: [MutationNumber], highest: MutationNumber = .zero)
    case outcome(ListName, MutationNumber, Answer)
    case presence(ListName, PresenceChange)
    case who(RequestID, ListName, [Presence])
    /// `nil` as request: the answer to what `open` named.
    case fates(RequestID?, ListName, [Fate])
    /// The subscription ended: the list was deleted, or may no longer be read.
    case gone(ListName, Gone)
    case done(RequestID, ListName?)
    case lists(RequestID, [ListSummary])
    case history(RequestID, ListName, [Entry])
    case pong(RequestID, ListName?, Version?)
    /// The new token holds until then; `nil`: for good.
    case renewed(RequestID, expires: Timestamp?)
    /// Something could not be done; `request` and `list` as far as they are known.
    case error(RequestID?, ListName?, Refusal)
    case goodbye(Goodbye)

    package struct Welcome: Hashable, Sendable {
        package var version: Int
        /// The name under which the client's work is logged.
        package var name: UserName
        /// Number of this connection's presence.
        package var session: UInt64
        /// When the client's token expires; `nil`: never, or there is none.
        package var expires: Timestamp?
        package var messageBytes: Int
        package var operations: Int
        package var elementBytes: Int
        package var fields: Int

        package init(
            version: Int = 1, name: UserName, session: UInt64, expires: Timestamp? = nil,
            messageBytes: Int, operations: Int, elementBytes: Int, fields: Int
        ) {
            self.version = version
            self.name = name
            self.session = session
            self.expires = expires
            self.messageBytes = messageBytes
            self.operations = operations
            self.elementBytes = elementBytes
            self.fields = fields
        }
    }

    /// What became of a mutation, with what its author needs in order to go on.
    package struct Answer: Hashable, Sendable {
        package var outcome: Outcome
        /// Who was editing the elements that it deleted, and has been told.
        package var told: [UserName]
        /// The elements that were skipped `changed_since`, as they are now.
        package var current: [Element]

        package init(_ outcome: Outcome, told: [UserName] = [], current: [Element] = []) {
            self.outcome = outcome
            self.told = told
            self.current = current
        }
    }

    package struct Gone: Hashable, Sendable {
        /// `listDeleted` or `accessLost`.
        package var code: Code
        package var by: UserName?
        package var at: Timestamp

        package init(code: Code, by: UserName?, at: Timestamp) {
            self.code = code
            self.by = by
            self.at = at
        }
    }

    /// The last message before the server closes the connection.
    package struct Goodbye: Hashable, Sendable {
        package var code: UInt16
        package var sentence: String
        /// When to come back, in milliseconds from now; `nil`: not without being changed.
        package var retry: Int64?

        package init(code: UInt16, sentence: String, retry: Int64?) {
            self.code = code
            self.sentence = sentence
            self.retry = retry
        }
    }
}

/// A bounded part of a whole list at a version. Parts come in order, nothing of the list between
/// them.
package struct SnapshotPart: Hashable, Sendable {
    package var position: Position
    /// 0, 1, 2 …
    package var index: Int
    package var isLast: Bool
    package var title: String
    package var schema: Schema?
    /// From when the times of its rows are counted on the wire; `nil`: from 1970. Rows here hold
    /// them as they are.
    package var base: Timestamp?
    package var rows: [Row]

    /// In list order, graves among the living.
    package enum Row: Hashable, Sendable {
        case element(Element)
        /// Details are kept in stored snapshots only; on the wire a grave is its ID.
        case grave(ElementID, Grave?)
    }

    package init(
        position: Position, index: Int, isLast: Bool, title: String, schema: Schema?,
        base: Timestamp? = nil, rows: [Row]
    ) {
        self.position = position
        self.index = index
        self.isLast = isLast
        self.title = title
        self.schema = schema
        self.base = base
        self.rows = rows
    }
}

/// One connection's presence in a list.
package struct Presence: Hashable, Sendable {
    package var session: UInt64
    package var name: UserName
    package var editing: [ElementID]

    package init(session: UInt64, name: UserName, editing: [ElementID]) {
        self.session = session
        self.name = name
        self.editing = editing
    }
}

package struct PresenceChange: Hashable, Sendable {
    /// `here` is everybody, not only those who came or changed.
    package var isWhole: Bool
    package var here: [Presence]
    package var left: [UInt64]

    package init(isWhole: Bool, here: [Presence], left: [UInt64]) {
        self.isWhole = isWhole
        self.here = here
        self.left = left
    }
}

/// What became of an element.
package enum Fate: Hashable, Sendable {
    case alive(ElementID)
    case deleted(Grave)
    /// It never was, or its grave was forgotten.
    case unknown(ElementID)
}

package struct ListSummary: Hashable, Sendable {
    package var name: ListName
    package var title: String
    /// Head and living elements; `nil` where the list is not counted yet, or cannot be read.
    package var version: Version?
    package var count: Int?
    /// How many connections have it open.
    package var open: Int

    package init(name: ListName, title: String, version: Version?, count: Int?, open: Int) {
        self.name = name
        self.title = title
        self.version = version
        self.count = count
        self.open = open
    }
}
