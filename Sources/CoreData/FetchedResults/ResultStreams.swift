// The asynchronous sequences that a controller feeds.

import Synchronization

/// Any number of streams of the same elements.
final class ResultStreams<Element: Sendable>: Sendable {
    private struct Open {
        var streams: [Int: AsyncStream<Element>.Continuation] = [:]
        var last = 0
    }

    private let open = Mutex(Open())

    var isEmpty: Bool { open.withLock { $0.streams.isEmpty } }

    /// A new stream, which begins with `first`, if there is one.
    func stream(first: Element? = nil) -> AsyncStream<Element> {
        AsyncStream { continuation in
            if let first { continuation.yield(first) }
            let number = open.withLock { open in
                open.last += 1
                open.streams[open.last] = continuation
                return open.last
            }
            continuation.onTermination = { [weak self] _ in
                // The lock may be held by whoever ends the stream, never while streams run.
                self?.open.withLock { _ = $0.streams.removeValue(forKey: number) }
            }
        }
    }

    func yield(_ element: Element) {
        for stream in open.withLock({ Array($0.streams.values) }) { stream.yield(element) }
    }

    func finish() {
        for stream in open.withLock({ Array($0.streams.values) }) { stream.finish() }
    }
}
