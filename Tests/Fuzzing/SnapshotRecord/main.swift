import FuzzShared
import ListProtocol

// The record of a part of a stored snapshot.
fuzz { decoder, bytes throws(DecodingFault) in
    try decoder.decodeSnapshotRecord(bytes)
} encode: {
    MessageEncoder.encodeSnapshotRecord($0)
}
