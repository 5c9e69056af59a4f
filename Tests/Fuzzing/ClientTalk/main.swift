import FuzzCores
import FuzzShared

// What two clients say in turn, a message a line, to one server: whatever they say, it stands, each
// answer can be read, and its log can be loaded again.
fuzz { bytes in
    var server = FuzzedServer()
    for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(40) { server.take(Array(line)) }
    server.expectLoadable()
}
