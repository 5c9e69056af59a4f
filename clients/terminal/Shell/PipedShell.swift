internal import Glibc

/// A shell between pipes, or on a terminal that cannot move its cursor: lines in, lines out.
final class PipedShell: ShellSurface {
    let inputs: AsyncStream<ShellInput>

    init() {
        let (inputs, feed) = AsyncStream.makeStream(of: ShellInput.self)
        self.inputs = inputs
        InputLines.read {
            feed.yield(.line($0))
        } end: {
            feed.finish()
        }
    }

    func begin(prompt: String) {}
    func show(_ text: String) { StandardStreams.write(Array(text.utf8), to: STDOUT_FILENO) }
    func setPrompt(_ prompt: String) {}
    func end() async {}
}
