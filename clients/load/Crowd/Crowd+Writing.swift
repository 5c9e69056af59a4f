internal import ListModel

/// When something is written.
extension Crowd {
    /// Edits without outcome that a writer has at most when it writes as fast as it can.
    private var window: Int { settings.window }

    /// Begins the part of the run that is timed.
    func begin(edits: Schedule, comings: Schedule) {
        writing = true
        self.comings = comings
        switch settings.pace {
        case .rate: self.edits = edits
        case .oneAtATime:
            for lane in lanes.prefix(settings.lists) { writeNext(in: lane) }
        case .flatOut:
            for writer in clients.prefix(settings.writers) { writeUpToWindow(writer) }
        }
    }

    /// Does all that is due by now.
    func tick() {
        let now = Moment.now
        while let intended = edits?.take(by: now) {
            figures.late.record(now.nanoseconds(since: intended))
            writeOne(intended)
        }
        while let intended = comings?.take(by: now) {
            figures.late.record(now.nanoseconds(since: intended))
            exchange(intended: intended)
        }
    }

    /// Nothing more is meant to be written from here on.
    func endWriting() {
        tick()
        writing = false
    }

    /// Everybody has the edit before.
    func writeNext(in lane: Lane) {
        guard writing,
            let writer = clients.prefix(settings.writers).first(where: {
                lanes[$0.lane] === lane
            })
        else { return }
        write(by: writer, intended: .now)
    }

    /// A writer's edit has its outcome.
    func answered(_ writer: SimulatedClient) {
        if writing, settings.pace == .flatOut, lanes[writer.lane].keeper !== writer {
            writeUpToWindow(writer)
        }
    }

    private func writeUpToWindow(_ writer: SimulatedClient) {
        while writer.author.pending.count < window { write(by: writer, intended: .now) }
    }

    private func writeOne(_ intended: Moment) {
        guard settings.writers > 0 else { return }
        write(by: clients[nextWriter % settings.writers], intended: intended)
        nextWriter += 1
    }

    private func write(by writer: SimulatedClient, intended: Moment) {
        let operations = makers[writer.lane].next(lanes[writer.lane].log.state)
        writer.write(operations, intended: intended)
    }
}
