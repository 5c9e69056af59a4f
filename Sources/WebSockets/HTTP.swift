/// A plain HTTP request on the WebSocket's port.
package struct HTTPRequest: Sendable, Hashable {
    /// GET or HEAD; others are refused before.
    package let method: String
    /// Without the query.
    package let path: String
    /// The port of the server that it came to.
    package let port: UInt16

    package init(method: String, path: String, port: UInt16) {
        self.method = method
        self.path = path
        self.port = port
    }
}

/// What is answered to one. The length is added; a HEAD gets no body.
package struct HTTPResponse: Sendable, Hashable {
    package var status: Int
    package var contentType: String
    package var body: [UInt8]

    package init(
        status: Int, contentType: String = "text/plain; charset=utf-8", body: [UInt8] = []
    ) {
        self.status = status
        self.contentType = contentType
        self.body = body
    }

    package init(
        status: Int, contentType: String = "text/plain; charset=utf-8", text: String
    ) {
        self.init(status: status, contentType: contentType, body: Array(text.utf8))
    }

    /// The response as it goes over the wire.
    func bytes(isHead: Bool = false, closes: Bool = false, header: String = "") -> [UInt8] {
        var head = "HTTP/1.1 \(status) \(Self.phrase(status))\r\n"
        head += "Content-Type: \(contentType)\r\nContent-Length: \(body.count)\r\n"
        head += "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\(header)"
        head += closes ? "Connection: close\r\n\r\n" : "\r\n"
        return Array(head.utf8) + (isHead ? [] : body)
    }

    private static func phrase(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 204: "No Content"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 426: "Upgrade Required"
        case 429: "Too Many Requests"
        case 500: "Internal Server Error"
        case 503: "Service Unavailable"
        default: "Answer"
        }
    }
}
