import Glibc
import Testing
import Threads

@testable import WebSockets

@Suite struct EventLoopTests {
    @Test func `work from several threads all runs, in the order of each thread`() throws {
        let loop = try EventLoop()
        let done = Inbox<(Int, Int)>()
        let threads = (0..<4).compactMap { thread in
            Thread.start { for number in 0..<5_000 { loop.post { done.put((thread, number)) } } }
        }
        for thread in threads { thread.join() }
        var next = [0, 0, 0, 0]
        for (thread, number) in try done.next(20_000) {
            #expect(next[thread] == number)
            next[thread] += 1
        }
        loop.stop()
        #expect(!loop.post {})
    }

    @Test func `work posted while others work comes after them`() throws {
        let loop = try EventLoop()
        defer { loop.stop() }
        let order = Inbox<Int>()
        loop.perform {
            loop.post {
                loop.post { order.put(3) }
                order.put(1)
            }
            loop.post { order.put(2) }
        }
        #expect(try order.next(3) == [1, 2, 3])
    }

    @Test func `perform answers, throws, and does not wait for itself`() throws {
        struct Failure: Error, Equatable {}
        let loop = try EventLoop()
        defer { loop.stop() }
        #expect(loop.perform { loop.isOnLoop })
        #expect(!loop.isOnLoop)
        #expect(loop.perform { loop.perform { 5 } } == 5)
        #expect(throws: Failure()) { try loop.perform { () throws(Failure) in throw Failure() } }
    }

    @Test func `timers run in the order of their times, and not after they were cancelled`() throws
    {
        let loop = try EventLoop()
        defer { loop.stop() }
        let order = Inbox<Int>()
        loop.perform {
            let start = loop.now
            loop.after(milliseconds: 60) {
                order.put(3)
                order.put(loop.now - start >= 60 ? 4 : 0)
            }
            loop.after(milliseconds: 0) { order.put(1) }
            let never = loop.after(milliseconds: 20) { order.put(9) }
            loop.after(milliseconds: 10) {
                order.put(2)
                never.cancel()
                never.cancel()
            }
        }
        #expect(try order.next(4) == [1, 2, 3, 4])
    }

    @Test func `stop runs what was posted before it, drops timers, and may be repeated`() throws {
        let loop = try EventLoop()
        let ran = Inbox<Int>()
        loop.post {
            loop.after(milliseconds: 30_000) { ran.put(99) }
            for number in 0..<100 { loop.post { ran.put(number) } }
        }
        loop.stop()
        loop.stop()
        let count = ran.count
        #expect(count <= 100)
        #expect(try ran.next(count) == Array(0..<count))
    }

    @Test func `many loops come and go`() throws {
        for _ in 0..<40 {
            let loop = try EventLoop()
            #expect(loop.perform { true })
            loop.stop()
        }
    }

    @Test func `LI6 a missing event library is a sentence that names the package`() throws {
        let error = #expect(throws: WebSocketError.self) {
            try EventLoop(options: .init(), plugin: .notInstalled)
        }
        guard case .eventLibraryMissing(let sentence) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(sentence.contains("libwebsockets-evlib-uv"))
        // The failed start leaves nothing behind that would hinder another.
        let loop = try EventLoop()
        loop.stop()
    }
}
