internal import ListModel

// What every message begins with.
extension JSONWriter {
    mutating func message(_ kind: StaticString, _ list: ListName? = nil) {
        key("t")
        text("\(kind)")
        member("list", ifPresent: list)
    }

    mutating func message(_ kind: StaticString, _ request: RequestID?, _ list: ListName?) {
        key("t")
        text("\(kind)")
        member("r", ifPresent: request)
        member("list", ifPresent: list)
    }
}

extension DecodingFault {
    /// Names the kind, cut short: it may be of any length.
    static func unknownMessage(_ kind: String) -> DecodingFault {
        DecodingFault(.unknownMessage, "is unknown: \"\(kind.prefix(32))\"", at: "t")
    }
}
