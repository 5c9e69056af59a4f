import FuzzShared
import ListProtocol

// A client's message, as the server sees it.
fuzz { decoder, bytes throws(DecodingFault) in
    try decoder.decodeClientMessage(bytes)
} encode: {
    MessageEncoder.encode($0)
}
