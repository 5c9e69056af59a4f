internal import ListModel
internal import ListProtocol

extension SimulatedClient {
    /// One message from the server. Entries that others have got before are only compared.
    func received(_ message: UnsafeRawBufferPointer) {
        crowd.figures.bytes += message.count
        let lane = crowd.lanes[lane]
        if lane.log.isFrame(message) { return takeEntries(message, lane) }
        if case .opening(let progress) = state, Self.isSnapshot(message) {
            return takePart(message, progress, lane)
        }
        // Of these there may be as many as clients for each client.
        if Self.isPresence(message) { return }
        guard let message = try? crowd.decoder.decodeServerMessage(message) else {
            return crowd.note(.diverged(lane.list, cursor, "an unreadable message"))
        }
        take(message, lane)
    }

    private static func isSnapshot(_ message: UnsafeRawBufferPointer) -> Bool {
        message.starts(with: snapshotStart)
    }

    private static func isPresence(_ message: UnsafeRawBufferPointer) -> Bool {
        message.starts(with: presenceStart)
    }

    private static let snapshotStart = Array(#"{"t":"snapshot""#.utf8)
    private static let presenceStart = Array(#"{"t":"presence""#.utf8)

    private func takeEntries(_ frame: UnsafeRawBufferPointer, _ lane: Lane) {
        let before = cursor
        let through: UInt64
        switch lane.log.take(frame, after: before, crowd.decoder) {
        case .good(let end): through = end
        case .flawed(let flaw, let end):
            crowd.note(flaw)
            through = end
        }
        crowd.register(lane)
        position = through
        crowd.arrived(self, lane, after: before)
    }

    private func takePart(
        _ bytes: UnsafeRawBufferPointer, _ progress: SharedSnapshots.Progress?, _ lane: Lane
    ) {
        switch lane.snapshots.take(bytes, progress, crowd.decoder) {
        case .success(let progress):
            state = .opening(progress.isWhole ? nil : progress)
            if progress.isWhole { position = progress.version }
        case .failure(let fault): crowd.note(fault.flaw)
        }
    }

    private func take(_ message: ServerMessage, _ lane: Lane) {
        switch message {
        case .welcome:
            state = .opening(nil)
            say(.open(opening(lane)))
        case .caughtUp(_, let position, _, _): caughtUp(position, lane)
        case .outcome(_, let n, let answer): takeOutcome(n.number, answer)
        case .done: crowd.removed += 1
        case .error(_, _, let refusal): crowd.noteError(refusal.sentence)
        case .gone(_, let gone): crowd.noteError("the list is gone: \(gone.code.rawValue)")
        case .goodbye(let goodbye): advised = goodbye.retry.map { UInt64(clamping: $0) }
        default: break
        }
    }

    private func opening(_ lane: Lane) -> ClientMessage.Open {
        var open = ClientMessage.Open(list: lane.list, base: true)
        open.create = lane.keeper === self
        open.heard = MutationNumber(author.heard)
        open.presence = crowd.settings.presence
        if let position, let epoch = lane.epoch {
            open.position = Position(epoch: epoch, version: Version(position))
        }
        return open
    }

    private func caughtUp(_ told: Position, _ lane: Lane) {
        if lane.epoch == nil { lane.epoch = told.epoch }
        if lane.epoch != told.epoch {
            crowd.note(.diverged(lane.list, told.version.number, "the log was replaced"))
        }
        if cursor != told.version.number {
            crowd.note(.gap(lane.list, after: cursor, got: told.version.number + 1))
        }
        position = told.version.number
        let now = Moment.now
        state = .live
        if since == nil { since = now }
        let came = awaitedSince
        awaitedSince = nil
        crowd.becameLive(self, lane, came, now)
        writeAgain()
    }

    private func takeOutcome(_ n: UInt64, _ answer: ServerMessage.Answer) {
        switch answer.outcome {
        case .logged(let version, let skips): finish(n, at: version.number, skips.count)
        case .nothing(let skips): finish(n, at: nil, skips.count)
        case .refused(let refusal):
            switch refusal.code {
            case .storageFailed, .draining: tryAgain(n)
            default:
                crowd.figures.refused += 1
                crowd.noteError(refusal.sentence)
                finish(n, at: nil, 0)
            }
        }
    }

    private func finish(_ n: UInt64, at version: UInt64?, _ skipped: Int) {
        guard let edit = author.answered(n, at: version) else { return }
        crowd.figures.skipped += skipped
        if let intended = edit.intended {
            if version != nil { crowd.figures.edits += 1 }
            crowd.figures.answers.record(Moment.now.nanoseconds(since: intended))
        }
        if againLeft > 0 {
            againLeft -= 1
            writeUnsent()
        }
        crowd.answered(self)
    }
}
