internal import ListModel
internal import ListProtocol

/// Frames of entries behind the same version, made once for all subscriptions that stand there;
/// forgotten when the log grows.
struct SharedFrames {
    struct Frame {
        let bytes: [UInt8]
        /// The version of its last entry.
        let through: Version
    }

    /// The one asked for last: nearly all subscriptions stand at the same version.
    private var last: (after: Version, frame: Frame)?
    private var others: [Version: Frame] = [:]

    /// Frames kept at most.
    private static let most = 16

    /// What was asked for last, if it is that.
    func latest(after version: Version) -> Frame? {
        guard let last, last.after == version else { return nil }
        return last.frame
    }

    mutating func frame(after version: Version, make: () -> Frame?) -> Frame? {
        if let last, last.after == version { return last.frame }
        guard let frame = others[version] ?? make() else { return nil }
        if others.count >= Self.most { others = [:] }
        others[version] = frame
        last = (version, frame)
        return frame
    }
}

extension HostedList {
    /// The entries behind a version, as many as fit `bytes`; `nil` where the tail does not reach
    /// back so far. `bytes` is the same at each call.
    func frame(after version: Version, bytes: Int) -> SharedFrames.Frame? {
        if let frame = frames.latest(after: version) { return frame }
        return frames.frame(after: version) {
            tail.records(after: version, bytes: bytes).map { records in
                SharedFrames.Frame(
                    bytes: MessageEncoder.entriesFrame(list: name, records: records),
                    through: version.advanced(by: records.count))
            }
        }
    }
}
