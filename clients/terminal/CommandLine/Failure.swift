internal import ListModel
internal import ProgramArguments

/// Why a verb did not do, or not wholly do, what it was asked: a stable word for scripts, a
/// sentence for people that says what to do, and how the program ends.
struct Failure: Error, Equatable {
    let exit: ExitCode
    let word: String
    let sentence: String
    /// The element that it is about.
    var id: ElementID?
    /// The list that there is not.
    var missing: ListName?

    init(_ exit: ExitCode, _ word: String, _ sentence: String, id: ElementID? = nil) {
        self.exit = exit
        self.word = word
        self.sentence = sentence
        self.id = id
    }

    /// The same, and a sentence more.
    func adding(_ more: String) -> Failure {
        let end = sentence.last == "." || sentence.last == "?" ? " " : ". "
        var failure = Failure(exit, word, sentence + end + more, id: id)
        failure.missing = missing
        return failure
    }

    static func usage(_ sentence: String) -> Failure { Failure(.usage, "usage", sentence) }

    init(_ error: UsageError) { self = .usage(error.sentence) }

    init(_ refusal: Refusal) {
        self.init(
            ExitCode(refusal.code), refusal.code.rawValue, refusal.sentence, id: refusal.id)
    }
}

extension ExitCode {
    init(_ code: Code) {
        switch code {
        case .unreachable, .draining: self = .unreachable
        case .notAllowed, .notAuthenticated, .readOnly, .accessLost: self = .notAllowed
        case .listDeleted, .changedSince: self = .vanished
        case .removed, .noSuchElement, .noSuchAnchor, .notANumber, .outOfRange, .beingEdited,
            .idTaken, .wrongType, .skippedInAtomic, .tooLarge, .tooMany, .numberReused,
            .forgotten, .storageFailed, .noSuchList, .listExists, .listUnreadable, .notOpen,
            .malformed, .unknownMessage, .badName, .helloFirst, .unsupportedVersion,
            .tooManyRequests:
            self = .refused
        }
    }
}

extension ExitCode {
    /// By the word of an error of the shell's language.
    init(word: String) {
        switch word {
        case "usage": self = .usage
        case "offline": self = .unreachable
        case "conflict": self = .vanished
        case "timed_out": self = .timedOut
        case "interrupted": self = .interrupted
        default: self = Code(rawValue: word).map(ExitCode.init) ?? .refused
        }
    }
}

extension Failure {
    /// Changes that a full disk has taken with the program.
    init(lost count: Int, of list: ListName) {
        self.init(
            .refused, Code.storageFailed.rawValue,
            "\(Verbs.counted(count, "change")) of \(list) could be neither kept on this machine "
                + "nor sent, and went with the program: "
                + "make room on its disk, and do it again.")
    }
}
