import ListModel
import ListProtocol
import Storage
import Testing

@testable import ListServer
@testable import WebSockets

@Suite("Metrics", .timeLimit(.minutes(5))) struct MetricsTests {
    let bench: Bench

    init() throws { bench = try Bench() }

    private func metrics(of server: Server) throws -> PrometheusText {
        let response = server.loop.perform { [service = server.service] in
            service.respond(to: HTTPRequest(method: "GET", path: "/metrics", port: server.port))
        }
        #expect(response.status == 200)
        #expect(response.contentType == "text/plain; version=0.0.4; charset=utf-8")
        return try PrometheusText(String(decoding: response.body, as: UTF8.self))
    }

    @Test func `count connections, lists, edits, deliveries, answers and appends`() async throws {
        let server = try bench.server()
        let before = try metrics(of: server)
        #expect(before.values["samelist_ready"] == 1)
        #expect(before.values["samelist_connections"] == 0)
        #expect(before.values["samelist_lists"] == 0)
        let ana = try await bench.client("ana", of: server)
        _ = try await ana.open(create: true)
        _ = try await ana.submit(1, [try insert("a")])
        _ = try await ana.submit(
            2, [try insert("b"), ListModel.Operation(.restore(try id("nobody")))])
        _ = try await ana.submit(3, [try insert("a")])
        let values = try metrics(of: server).values
        #expect(values["samelist_connections"] == 1)
        #expect(values["samelist_connections_opened_total"] == 1)
        #expect(values["samelist_messages_received_total"] == 5)
        #expect(values["samelist_lists"] == 1 && values["samelist_lists_in_memory"] == 1)
        #expect(values["samelist_subscriptions"] == 1)
        #expect(values["samelist_subscriptions_behind"] == 0)
        #expect(values["samelist_lag_entries"] == 0 && values["samelist_lag_seconds"] == 0)
        #expect(values["samelist_edits_total"] == 3 && values["samelist_entries_total"] == 2)
        #expect(values["samelist_answers_total{code=\"logged\"}"] == 2)
        #expect(values["samelist_answers_total{code=\"id_taken\"}"] == 1)
        #expect(values["samelist_skips_total{code=\"no_such_element\"}"] == 1)
        #expect(values["samelist_append_seconds_count"] == 2)
        #expect(try #require(values["samelist_deliveries_total"]) >= 5)
        #expect(try #require(values["samelist_fanout_connections_count"]) >= 4)
        #expect(try #require(values["samelist_sent_bytes_total"]) > 200)
        #expect(try #require(values["process_resident_memory_bytes"]) > 1e6)
        #expect(try #require(values["process_start_time_seconds"]) > 1e9)
    }

    @Test func `count appends that fail`() async throws {
        let faults = StorageFaults()
        let server = try bench.server(faults)
        let ana = try await bench.client("ana", of: server)
        _ = try await ana.open(create: true)
        faults.fail(.writes)
        _ = try await ana.submit(1, [try insert("a")])
        let values = try metrics(of: server).values
        #expect(values["samelist_append_failures_total"] == 1)
        #expect(values["samelist_answers_total{code=\"storage_failed\"}"] == 1)
    }

    @Test func `name neither lists nor people, and are not told to other machines`() async throws {
        let server = try bench.server {
            $0.demandsTokens = true
        } open: {
            InMemoryLogStorage()
        }
        let status = server.loop.perform { [service = server.service] in
            service.respond(to: HTTPRequest(method: "GET", path: "/metrics", port: server.port))
                .status
        }
        #expect(status == 404)
    }

    @Test func `of a histogram fall into its steps`() {
        var histogram = Histogram([1, 10])
        for value in [0, 1, 1.5, 10, 11] { histogram.add(value) }
        #expect(histogram.counts == [2, 2, 1] && histogram.sum == 23.5)
    }

    @Test(arguments: [
        "a 1", "# HELP a b\n# TYPE a gauge\na 1\na 1\n", "# HELP a b\n# TYPE a counter\na 1\n",
        "# HELP a b\n# TYPE a gauge\nb 1\n", "# HELP a b\n# TYPE a gauge\na one\n",
        "# HELP a b\n# TYPE a histogram\na_bucket{le=\"1\"} 1\na_sum 1\na_count 1\n",
    ])
    func `have a reader that is strict`(text: String) {
        #expect(throws: Unexpected.self) { try PrometheusText(text) }
    }
}
