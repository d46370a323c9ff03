// When closures that observe objects are called: not while only one side of a relationship is set.

/// Holds calls to observers of one context's objects back until a change is whole.
final class ChangeDelivery {
    // Unchecked: sound because only the context's queue counts, which `checkQueue` watches (ConcurrencyDebugTests), and because
    // calls are made of a copy.
    @exclusivity(unchecked)
    private var depth = 0
    @exclusivity(unchecked)
    private var waiting: [() -> Void] = []

    /// A change of several objects begins.
    func begin() { depth += 1 }

    /// It is whole: whoever waits is told, unless another change is under way.
    func end() {
        depth -= 1
        while depth == 0, !waiting.isEmpty {
            let calls = waiting
            waiting.removeAll()
            for call in calls { call() }
        }
    }

    func deliver(_ call: @escaping () -> Void) {
        if depth == 0 { call() } else { waiting.append(call) }
    }
}
