import FuzzShared
import ListProtocol

// The record of an entry, as the log gives it back.
fuzz { decoder, bytes throws(DecodingFault) in
    try decoder.decodeEntryRecord(bytes)
} encode: {
    MessageEncoder.encodeEntryRecord($0)
}
