import Samelist
import Testing

@Suite("An address of a server, as people type it") struct ServerAddressTests {
    @Test(arguments: [
        ("127.0.0.1", "ws://127.0.0.1:7420"), ("localhost:1", "ws://localhost:1"),
        ("ws://host:65535", "ws://host:65535"), ("wss://example.org/", "wss://example.org:443"),
        ("http://a_b-c.d:80", "ws://a_b-c.d:80"), ("https://HOST:443", "wss://HOST:443"),
        ("[::1]", "ws://[::1]:7420"), ("wss://[fe80::1%eth0]:9", "wss://[fe80::1%eth0]:9"),
        ("[::ffff:10.0.0.1]:9", "ws://[::ffff:10.0.0.1]:9"),
    ])
    func `is spelt in full, and read again as the same`(text: String, full: String) throws {
        let address = try #require(ServerAddress(text))
        #expect(address.description == full)
        #expect(ServerAddress(full) == address)
    }

    // The first was found by Tests/Fuzzing: it was read otherwise when it was spelt again.
    @Test(arguments: [
        "[[\"]:2", "[]", "[", "]", "[:", "[::1", "::1", "[::1]x", "[::1%]:2", "[1.2.3.4]:5", "",
        ":",
        ":7420", "host:", "host:0", "host:65536", "host:-1", "host:+1x", "ftp://host", "://host",
        "ws://", "ws:///", "host/path", "user@host", "a b", "h\u{F6}st", "host\n", "ws://ws://host",
    ])
    func `is refused where it is none`(text: String) {
        #expect(ServerAddress(text) == nil)
    }
}
