// The depth of trees against the size of stacks.

import CoreDataPredicate
import CoreDataSupport
import CoreDataTestSupport
import Dispatch
import Foundation
import Testing

/// The limits keep the deepest trees on half of a usual stack, also in debug builds.
@Suite struct StackTests {
    private final class Outcome: @unchecked Sendable {
        // Written by the thread before the semaphore is signalled, read after it.
        var failures = 0
    }

    @Test func deepestTreesFitHalfAStack() {
        let (outcome, done) = (Outcome(), DispatchSemaphore(value: 0))
        let thread = Thread {
            var deep = PredicateTree.constant(true)
            for _ in 0..<(EvaluationLimits.depth - 2) { deep = .not(deep) }
            if (try? Evaluator().matches(deep, object: .null)) == nil { outcome.failures += 1 }
            for bomb in ["(", "NOT ", "-", "{", "a[", "abs(", "TERNARY(", "a ** "] {
                let fitting = String(repeating: bomb, count: 5000)
                if (try? PredicateParser.predicate(fitting)) != nil { outcome.failures += 1 }
            }
            let nested =
                String(repeating: "(", count: 90) + "a" + String(repeating: ")", count: 90) + " == 1"
            if (try? PredicateParser.predicate(nested).format) != "a == 1" { outcome.failures += 1 }
            done.signal()
        }
        thread.stackSize = 4 << 20
        thread.start()
        done.wait()
        expect(outcome.failures, equals: 0)
    }
}
