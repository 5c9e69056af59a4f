/// Puts the pieces of one message together, and counts them against the limit as they come.
struct IncomingMessage {
    enum Step: Equatable {
        /// More is to come.
        case wait
        /// This piece is the whole message, where it lies.
        case whole
        /// The message is whole with this piece, in bytes of its own.
        case assembled([UInt8])
        /// The message is longer than the limit; nothing of it is kept.
        case tooLong
        /// What was put together is not UTF-8.
        case notText
    }

    let limit: Int
    private var pieces: [UInt8] = []

    init(limit: Int) {
        self.limit = limit
    }

    /// - Parameter announced: bytes that the peer has said will follow in this frame.
    mutating func take(
        _ piece: UnsafeRawBufferPointer, isFirst: Bool, isLast: Bool, announced: Int
    ) -> Step {
        if isFirst { pieces = [] }
        guard pieces.count + piece.count <= limit, announced <= limit - pieces.count - piece.count
        else {
            pieces = []
            return .tooLong
        }
        if isFirst && isLast { return .whole }
        pieces.append(contentsOf: piece)
        guard isLast else { return .wait }
        let message = pieces
        pieces = []
        // libwebsockets checks UTF-8 by piece, but overlooks a character that is cut off by the
        // end of the message when the last frame is empty.
        return Self.isText(message) ? .assembled(message) : .notText
    }

    private static func isText(_ bytes: [UInt8]) -> Bool {
        (try? UTF8Span(validating: bytes.span)) != nil
    }
}
