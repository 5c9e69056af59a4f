internal import Glibc
internal import ListModel
internal import ListProtocol

/// The snapshots of one list that clients got, each version kept once: whoever gets the same one
/// later is only compared with it. Whether they are true is looked at when the run is over.
struct SharedSnapshots {
    /// Where a client stands in a snapshot that it receives.
    struct Progress: Equatable {
        var version: UInt64
        var parts: Int
        var isWhole: Bool
    }

    private struct Kept {
        var parts: [[UInt8]] = []
        var isWhole = false
    }

    /// Bytes kept at most. Versions that come later are not compared; `unproven` has them.
    private static let limit = 256 << 20

    private let list: ListName
    private var kept: [UInt64: Kept] = [:]
    private var latest: UInt64 = 0
    private var weight = 0
    /// Versions whose rows were not kept, for want of memory.
    private(set) var unproven: Set<UInt64> = []

    init(list: ListName) {
        self.list = list
    }

    /// Versions that were kept whole, in order.
    var versions: [UInt64] { kept.filter(\.value.isWhole).keys.sorted() }

    func parts(of version: UInt64) -> [[UInt8]] { kept[version]?.parts ?? [] }

    /// Takes in the next part that a client received; `progress` is `nil` before the first.
    mutating func take(
        _ bytes: UnsafeRawBufferPointer, _ progress: Progress?, _ decoder: MessageDecoder
    ) -> Result<Progress, SnapshotFault> {
        let version = progress?.version ?? latest
        let index = progress?.parts ?? 0
        if let known = kept[version], index < known.parts.count,
            Self.equal(bytes, known.parts[index])
        {
            let isLast = known.isWhole && index == known.parts.count - 1
            return .success(Progress(version: version, parts: index + 1, isWhole: isLast))
        }
        return decode(bytes, progress, index, decoder)
    }

    private mutating func decode(
        _ bytes: UnsafeRawBufferPointer, _ progress: Progress?, _ index: Int,
        _ decoder: MessageDecoder
    ) -> Result<Progress, SnapshotFault> {
        guard case .snapshot(list, let part)? = try? decoder.decodeServerMessage(bytes) else {
            return .failure(fault(progress, "an unreadable part of a snapshot"))
        }
        let version = part.position.version.number
        guard part.index == index, progress == nil || progress?.version == version else {
            return .failure(fault(progress, "part \(part.index) of a snapshot instead of \(index)"))
        }
        let next = Progress(version: version, parts: index + 1, isWhole: part.isLast)
        if let known = kept[version], index < known.parts.count {
            return Self.equal(bytes, known.parts[index])
                ? .success(next) : .failure(fault(next, "another one than the first client got"))
        }
        keep(bytes, of: version, isLast: part.isLast)
        return .success(next)
    }

    private mutating func keep(_ bytes: UnsafeRawBufferPointer, of version: UInt64, isLast: Bool) {
        guard weight + bytes.count <= Self.limit, !unproven.contains(version) else {
            unproven.insert(version)
            weight -= kept.removeValue(forKey: version)?.parts.reduce(0) { $0 + $1.count } ?? 0
            return
        }
        kept[version, default: Kept()].parts.append(Array(bytes))
        kept[version, default: Kept()].isWhole = isLast
        weight += bytes.count
        latest = version
    }

    private func fault(_ progress: Progress?, _ what: String) -> SnapshotFault {
        SnapshotFault(flaw: .diverged(list, progress?.version ?? 0, what))
    }

    private static func equal(_ left: UnsafeRawBufferPointer, _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return right.withUnsafeBytes { right in
            guard let a = left.baseAddress, let b = right.baseAddress else { return true }
            return memcmp(a, b, left.count) == 0
        }
    }
}

struct SnapshotFault: Error, Equatable {
    let flaw: Flaw
}
