internal import ListAuthority
internal import ListModel
internal import ListProtocol
internal import WebSockets

/// `GET /metrics`: numbers alone, no name of a list or a person.
extension Service {
    /// On a listener of its own if there is one; else beside the clients, who are then all of this
    /// machine.
    func tellsMetrics(at port: UInt16) -> Bool {
        options.metrics == nil ? !options.demandsTokens : port != serving?.sockets.port
    }

    var metrics: HTTPResponse {
        var text = MetricsText()
        writeConnections(&text)
        writeWork(&text)
        writeStorage(&text)
        writeProcess(&text)
        return HTTPResponse(
            status: 200, contentType: MetricsText.contentType, text: text.text)
    }

    private func writeConnections(_ text: inout MetricsText) {
        text.gauge("samelist_ready", "Whether new work is taken.", unreadiness == nil ? 1 : 0)
        text.gauge("samelist_connections", "Clients that are connected.", sessions.count)
        text.counter(
            "samelist_connections_opened_total", "Clients that ever connected.", figures.opened)
        text.gauge(
            "samelist_connections_behind", "Clients that have not taken yet what they were sent.",
            sessions.values.count { !$0.connection.isWritable })
        text.counter(
            "samelist_messages_received_total", "Messages from clients.", figures.messages)
        text.counter("samelist_received_bytes_total", "Their bytes.", figures.bytesIn)
        text.counter(
            "samelist_deliveries_total", "Messages to clients; one may carry many entries.",
            figures.deliveries)
        text.counter("samelist_sent_bytes_total", "Their bytes.", figures.bytesOut)
    }

    private func writeWork(_ text: inout MetricsText) {
        var (all, inMemory) = (0, 0)
        var (answers, skips): ([String: UInt64], [String: UInt64]) = ([:], [:])
        for realm in realms.values {
            let count = realm.authority.listCount
            all += count.all
            inMemory += count.inMemory
            answers.merge(realm.authority.tally.answers, uniquingKeysWith: +)
            for (code, count) in realm.authority.tally.skips {
                skips[code.rawValue, default: 0] += count
            }
        }
        text.gauge("samelist_lists", "Lists of all tenants.", all)
        text.gauge("samelist_lists_in_memory", "Those of them in memory.", inMemory)
        writeLag(&text)
        text.counter("samelist_edits_total", "Mutations that came.", figures.edits)
        text.counter(
            "samelist_answers_total", "Outcomes of mutations, and refusals of all else.",
            by: "code", answers)
        text.counter(
            "samelist_skips_total", "Operations that were skipped.", by: "code", skips)
        text.histogram(
            "samelist_fanout_seconds", "Time in which all who were due got what there was.",
            figures.fanOutSeconds)
        text.histogram(
            "samelist_fanout_connections", "How many these were.", figures.fanOutConnections)
    }

    private func writeLag(_ text: inout MetricsText) {
        let lag = self.lag
        text.gauge(
            "samelist_subscriptions", "Lists that clients have open, each counted for each client.",
            lag.subscriptions)
        text.gauge(
            "samelist_subscriptions_behind", "Those of them that were not given all entries yet.",
            lag.behind)
        text.gauge(
            "samelist_snapshot_bytes", "Of lists that are being sent whole.", snapshotRoom.bytes)
        text.gauge(
            "samelist_lag_entries", "Entries that the one furthest behind was not given yet.",
            lag.entries)
        text.gauge(
            "samelist_lag_seconds", "Age of the oldest entry that somebody was not given yet.",
            seconds: Double(lag.milliseconds) / 1_000)
    }

    private func writeStorage(_ text: inout MetricsText) {
        let storage = storageFigures?.withLock { $0 } ?? StorageFigures()
        text.counter("samelist_entries_total", "Entries made durable.", storage.entries)
        text.counter(
            "samelist_append_failures_total", "Appends that the storage refused.",
            storage.failures)
        text.histogram(
            "samelist_append_seconds", "Time of a batch of appends with its fsync.",
            storage.appendSeconds)
        text.gauge("samelist_storage_jobs", "Jobs that wait for the storage.", jobs)
    }

    private func writeProcess(_ text: inout MetricsText) {
        let process = ProcessFigures()
        text.gauge(
            "process_resident_memory_bytes", "Memory in use.", process.residentBytes)
        text.counter(
            "process_cpu_seconds_total", "Time of the processor.", seconds: process.cpuSeconds)
        text.gauge("process_open_fds", "Descriptors in use.", process.descriptors)
        text.gauge(
            "process_start_time_seconds", "When it was started, since 1970.",
            seconds: process.startSeconds)
    }
}
