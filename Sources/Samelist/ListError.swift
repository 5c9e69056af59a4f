public import FoundationEssentials
public import ListModel

/// What went wrong, as a value: a stable code, whether trying again may help, and a sentence that
/// says what to do. Nothing that was typed is lost by any of them.
///
/// It is the only error that the library throws, and is caught by its code:
///
/// ```swift
/// do {
///     try todos.remove(id)
/// } catch .removed {
///     show("somebody was faster")
/// } catch {
///     show(error.sentence)
/// }
/// ```
///
/// Where Swift knows only that some error is thrown, as in most closures, the same is written
/// `catch ListError.Code.removed`, and `"\(error)"` is the sentence.
public struct ListError: Error, Hashable, Sendable {
    /// Which error it is.
    public let code: Code
    /// What happened and what to do, for people.
    public let sentence: String
    /// The element that it is about, where it is about one.
    public let id: ElementID?
    /// Who caused it, where that is known.
    public let by: UserName?
    /// The fields that it is about: in a conflict, those that both sides changed.
    public let fields: [FieldName]

    /// An error of one's own in these words.
    public init(
        _ code: Code, _ sentence: String, id: ElementID? = nil, by: UserName? = nil,
        fields: [FieldName] = []
    ) {
        self.code = code
        self.sentence = sentence
        self.id = id
        self.by = by
        self.fields = fields
    }

    /// Whether the same may succeed later without anything being changed.
    public var isTemporary: Bool { code.isTemporary }
}

extension ListError {
    /// Which error it is. The raw values are stable: they may be logged, compared and stored.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// As it is logged: `no_such_list`.
        public let rawValue: String

        /// `nil` where there is no such code.
        public init?(rawValue: String) {
            guard let known = Self.allCases.first(where: { $0.rawValue == rawValue }) else {
                return nil
            }
            self = known
        }

        init(known: String) { rawValue = known }

        /// Whether the same may succeed later without anything being changed.
        public var isTemporary: Bool { Self.temporary.contains(self) }

        private static let temporary: Set<Code> = [
            .unknownHost, .unreachable, .timedOut, .draining, .tooManyRequests, .storageFailed,
            .beingEdited, .committing, .queueFull, .cancelled,
        ]
    }
}

extension ListError.Code {
    /// Catches the errors of a code, also where only some error is known to be thrown.
    public static func ~= (code: ListError.Code, error: any Error) -> Bool {
        (error as? ListError)?.code == code
    }
}

extension ListError: CustomStringConvertible, LocalizedError {
    /// The sentence.
    public var description: String { sentence }
    /// The sentence.
    public var errorDescription: String? { sentence }
    /// What to do, for those who show it apart.
    public var recoverySuggestion: String? { code.advice }
}
