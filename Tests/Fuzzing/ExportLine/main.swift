import FuzzShared
import ListProtocol

// A line of an export, which may have been edited by hand.
fuzz { decoder, bytes throws(DecodingFault) in
    try decoder.decodeExportLine(bytes)
} encode: {
    MessageEncoder.encode($0)
}
