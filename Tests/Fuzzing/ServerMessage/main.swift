import FuzzShared
import ListProtocol

// A server's message, as the client sees it.
fuzz { decoder, bytes throws(DecodingFault) in
    try decoder.decodeServerMessage(bytes)
} encode: {
    MessageEncoder.encode($0)
}
