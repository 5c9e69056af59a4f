import FuzzCores
import FuzzShared
import ListModel
import ListProtocol
import ListReplica

let decoder = MessageDecoder(limits: Limits())

// What a server says, a message a line, while a user works: whatever it says, the client stands,
// and what it keeps can be read again.
fuzz { bytes in
    guard var client = FuzzedClient() else { preconditionFailure("nothing kept is refused") }
    client.connect()
    for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(40) {
        client.now = client.now.adding(milliseconds: 100)
        do throws(DecodingFault) {
            client.tell(.received(try decoder.decodeServerMessage(Array(line))))
        } catch {
            client.tell(.garbled(error.sentence))
        }
        client.work()
    }
    client.expectReadable()
}
