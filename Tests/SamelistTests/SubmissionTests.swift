import Observation
import Testing

@testable import Samelist

/// What becomes of work that was submitted.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(4)), .onBothGrounds)
struct SubmissionTests {
    private let room = Room()

    @Test func `what is refused is told, also where whoever waited for it was cancelled`()
        async throws
    {
        let ana: LiveList<Todo> = try await room.list()
        let bob: LiveList<Todo> = try await room.list(as: "bob")
        let id = try ana.append(Todo(title: "a")).id
        await until { bob.count == 1 && ana.pendingCount == 0 }
        ana.client.goOffline()
        let update = try ana.update(id) { $0.title = "b" }
        let waiting = Task {
            do throws(ListError) {
                try await update.acknowledged()
                return nil as ListError?
            } catch {
                return error
            }
        }
        await Task.yield()
        waiting.cancel()
        #expect(await waiting.value?.code == .cancelled)
        try await bob.remove(id).acknowledged()
        ana.client.goOnline()
        await until { ana.lastError != nil }
        #expect(ana.lastError?.code == .removed && ana.lastError?.by?.text == "bob")
    }

    /// Its entry comes first, and then nothing of the list changes any more.
    @Test func `a screen that shows how much waits is told when it is decided`() async throws {
        let ana: LiveList<Todo> = try await room.list()
        let screen = Screen { "\(ana.pendingCount)" }
        ana.client.onNews = { _ in screen.draw() }
        try ana.append(Todo(title: "a"))
        await until { ana.pendingCount == 0 }
        #expect(screen.shown == ["0", "1", "0"])
    }

    @Test func `a screen that shows an editor is told what is written beside it`() async throws {
        let ana: LiveList<Todo> = try await room.list()
        let id = try ana.append(Todo(title: "a")).id
        let editor = try ana.edit(id)
        let screen = Screen { editor.draft.title }
        ana.client.onNews = { _ in screen.draw() }
        try ana.update(id) { $0.title = "b" }
        #expect(screen.shown == ["a", "b"])
    }

    @Test(arguments: [ListPosition<Int>.first, .last, .after(0), .before(0)])
    func `thousands of rows move as one, in their order, and back as one`(
        _ position: ListPosition<Int>
    ) async throws {
        let ana: LiveList<Numbered> = try await room.list()
        try await ana.append(contentsOf: (-10..<2_500).map { Numbered(id: $0, title: "") })
            .acknowledged()
        let before = ana.compactMap(\.element?.id)
        let moved = Array((1..<2_400).reversed())
        try await ana.move(moved, to: position).acknowledged()
        var rest = before.filter { !(1..<2_400).contains($0) }
        let spot =
            switch position {
            case .first: 0
            case .last: rest.count
            case .after: 11
            case .before: 10
            }
        rest.insert(contentsOf: moved, at: spot)
        #expect(ana.compactMap(\.element?.id) == rest)
        try await ana.undo().acknowledged()
        #expect(ana.compactMap(\.element?.id) == before)
    }
}

/// Reads again only where what it read was said to change.
@MainActor
private final class Screen {
    /// What it showed, each once.
    private(set) var shown: [String] = []
    private let read: () -> String
    private var isDue = true

    init(_ read: @escaping () -> String) {
        self.read = read
        draw()
    }

    func draw() {
        guard isDue else { return }
        isDue = false
        let now = withObservationTracking {
            read()
        } onChange: { [weak self] in
            MainActor.assumeIsolated { self?.isDue = true }
        }
        if shown.last != now { shown.append(now) }
    }
}
