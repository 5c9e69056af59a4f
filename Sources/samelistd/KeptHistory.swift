internal import ListAuthority
internal import ProgramArguments

/// How much of each log is kept.
enum KeptHistory: Equatable {
    case all
    case entries(Int)
    case milliseconds(Int64)

    init(_ text: String, from name: String) throws(UsageError) {
        if text == "all" {
            self = .all
        } else if let count = Int(text), count > 0 {
            self = .entries(count)
        } else if let age = duration(of: text) {
            self = .milliseconds(age)
        } else {
            throw UsageError(
                "\(name) is a number of entries, an age such as 30d, 12h, 90m or 45s, or all, "
                    + "not \(masked(text)).")
        }
    }
}

extension KeptHistory {
    /// As the server is told it.
    var forServer: History {
        switch self {
        case .all: .all
        case .entries(let count): .entries(count)
        case .milliseconds(let age): .age(age)
        }
    }
}

/// An age such as 30d, 12h, 90m or 45s, in milliseconds.
func duration(of text: String) -> Int64? {
    let units: [Character: Int64] = ["s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
    guard let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()),
        (1...1_000_000).contains(count)
    else { return nil }
    return count * unit
}
