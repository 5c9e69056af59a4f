import FuzzShared
import ListProtocol

// The record of a mutation that waits, as the client's state gives it back.
fuzz { decoder, bytes throws(DecodingFault) in
    try decoder.decodeMutationRecord(bytes)
} encode: {
    MessageEncoder.encodeMutationRecord($0)
}
