internal import ListAuthority
internal import ListModel
internal import ListProtocol
internal import WebSockets

/// What those are told who ask by plain HTTP: probes and the curious.
extension Service {
    func respond(to request: HTTPRequest) -> HTTPResponse {
        switch request.path {
        case "/healthz": HTTPResponse(status: 200, text: "ok\n")
        case "/readyz":
            if let reason = unreadiness {
                HTTPResponse(status: 503, text: reason + "\n")
            } else {
                HTTPResponse(status: 200, text: "ready\n")
            }
        case "/metrics" where tellsMetrics(at: request.port): metrics
        case "/version":
            HTTPResponse(status: 200, contentType: "application/json", body: Self.version)
        default: HTTPResponse(status: 404, text: Self.notFound)
        }
    }

    /// Why no new work should be sent here.
    var unreadiness: String? {
        switch state {
        case .loading: "loading"
        case .finishing, .leaving, .drained: "draining"
        case .serving: outage?.isBelieved(at: loop.now) == true ? "storage failing" : nil
        }
    }

    private static var version: [UInt8] {
        let parts: [String: Value] = [
            "name": .text("samelistd"), "protocol": .int(Int64(Release.protocolVersion)),
            "version": .text(Release.version),
        ]
        return MessageEncoder.encode(.object(parts)) + [0x0A]
    }

    private static let notFound =
        "Nothing is here but /healthz, /readyz, /version, /metrics (where --metrics is not given) "
        + "and a WebSocket of samelist.v1 for clients: try samelist shell.\n"

    /// While it drains only probes are answered.
    var takesWebSockets: Bool { takesWork }

    /// Those named by the operator, letter by letter; where none is, pages of this machine's own
    /// server alone: a page from elsewhere would act in the name of whoever looks at it.
    func allowsOrigin(_ origin: String) -> Bool {
        guard options.origins.isEmpty else { return options.origins.contains(origin) }
        guard !options.demandsTokens, let port = serving?.sockets.port else { return false }
        let scheme = options.tls == nil ? "http" : "https"
        return ["127.0.0.1", "localhost", "[::1]"].contains {
            origin == "\(scheme)://\($0):\(port)"
        }
    }
}
