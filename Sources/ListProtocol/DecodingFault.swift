package import ListModel

/// What is wrong with bytes that a peer sent, in the words of the error answer.
///
/// A part reads no further than its first fault; the decoder stays usable.
package struct DecodingFault: Error, Hashable, Sendable {
    /// `malformed`, `unknownMessage`, `badName`, `tooLarge` or `tooMany`.
    package let code: Code
    /// Where in the message, as a path of member names and indexes (`ops[3].by`); empty for the
    /// whole.
    package private(set) var path: String
    /// What is wrong there: `must be a whole number`.
    package let problem: String
    /// What the message said it was about, as far as that could be read: the answer names it.
    package private(set) var request: RequestID?
    package private(set) var list: ListName?
    /// The number of a `submit`, so that its author can be given an outcome.
    package private(set) var n: MutationNumber?

    package var sentence: String { path.isEmpty ? "the JSON \(problem)" : "\"\(path)\" \(problem)" }

    init(_ code: Code, _ problem: String, at path: String = "") {
        self.code = code
        self.path = path
        self.problem = problem
    }

    static func expected(_ what: String) -> DecodingFault {
        DecodingFault(.malformed, "must be \(what)")
    }

    /// The same fault, seen from one level further out.
    func inside(_ member: String) -> DecodingFault {
        var fault = self
        fault.path =
            path.isEmpty || path.utf8.first == UInt8(ascii: "[")
            ? member + path : "\(member).\(path)"
        return fault
    }

    func inside(_ index: Int) -> DecodingFault { inside("[\(index)]") }

    /// The same fault, with what `message` says it is about.
    func about(_ message: JSONObject) -> DecodingFault {
        var fault = self
        fault.request = try? message.readIfPresent("r")
        fault.list = try? message.readIfPresent("list")
        fault.n = try? message.readIfPresent("n")
        return fault
    }
}
