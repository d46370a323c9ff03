// Reads that are tracked, or not, whichever thread asks, and however closures that track nest.

import Foundation
import Observation
import SwiftData
import Synchronization
import Testing

@Suite struct TrackingTests {
    @Model
    final class Dial {
        var number = 0
        var text = ""
        init() {}
    }

    private final class Count: Sendable {
        let value = Mutex(0)
        var total: Int { value.withLock { $0 } }
        func add() { value.withLock { $0 += 1 } }
    }

    @Test func readsAfterUntrackedOnesAreTracked() {
        let (dial, count) = (Dial(), Count())
        for _ in 0..<3 { #expect(dial.number >= 0) }
        withObservationTracking {
            _ = dial.number
        } onChange: {
            count.add()
        }
        _ = dial.text
        dial.text = "a"
        #expect(count.total == 0)
        dial.number = 1
        #expect(count.total == 1)
    }

    @Test func nestedClosures() {
        let (dial, other, outer, inner) = (Dial(), Dial(), Count(), Count())
        withObservationTracking {
            withObservationTracking {
                _ = dial.number
            } onChange: {
                inner.add()
            }
            _ = other.number
        } onChange: {
            outer.add()
        }
        other.number = 1
        #expect((outer.total, inner.total) == (1, 0))
        dial.number = 1
        #expect(inner.total == 1)
    }

    /// The first read of a thread is one that is tracked, as often as not.
    @Test(arguments: [true, false]) func everyThread(isTrackedFirst: Bool) async {
        let count = Count()
        await withCheckedContinuation { done in
            Thread {
                let dial = Dial()
                if !isTrackedFirst { _ = dial.number }
                withObservationTracking {
                    _ = dial.number
                } onChange: {
                    count.add()
                }
                dial.number = 1
                _ = dial.number
                withObservationTracking {
                    _ = dial.text
                } onChange: {
                    count.add()
                }
                dial.text = "a"
                done.resume()
            }.start()
        }
        #expect(count.total == 2)
    }

    /// What was set goes to the values that the model had before.
    @Test func anObserverGivesTheModelOtherValues() throws {
        let container = try ModelContainer(
            for: Dial.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        let (dial, other, count) = (Dial(), Dial(), Count())
        context.insert(dial)
        try context.save()
        other.number = 7
        /// Unchecked because one thread has both.
        struct Pair: @unchecked Sendable {
            let dial: Dial
            let values: any BackingData<Dial>
        }
        let pair = Pair(dial: dial, values: other.persistentBackingData)
        withObservationTracking {
            _ = dial.number
        } onChange: {
            pair.dial.persistentBackingData = pair.values
            count.add()
        }
        dial.number = 3
        #expect(count.total == 1)
        #expect(dial.number == 7)
    }
}
