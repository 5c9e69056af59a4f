/// Where a shell gets its lines and shows its answers.
@MainActor
protocol ShellSurface: AnyObject {
    var inputs: AsyncStream<ShellInput> { get }
    func begin(prompt: String)
    func show(_ text: String)
    func setPrompt(_ prompt: String)
    /// Leaves the terminal as it was.
    func end() async
}

enum ShellInput: Sendable {
    case line(String)
    /// Ctrl-C: whatever is waited for is waited for no longer.
    case interrupt
}
