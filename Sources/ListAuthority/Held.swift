internal import ListModel

/// Something that may not be told before the log is durable up to a version: the rule "persist
/// before you tell", as a type. What is held can be had by `release` alone.
struct Held<Message> {
    let awaits: Version
    private let message: Message

    init(_ message: Message, until version: Version) {
        self.message = message
        awaits = version
    }

    func release(durable head: Version) -> Message? { awaits <= head ? message : nil }
}
