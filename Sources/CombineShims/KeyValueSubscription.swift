// A subscription to observed values.

#if Combine
    import CoreData
    import Foundation
    import OpenCombine

    /// Sends a value at each change while somebody wants more. As on Apple's systems a value that comes while there is no
    /// demand is sent when there is, the latest only.
    ///
    /// Unchecked because its parts are guarded by the lock, and are handed out of it before they are called.
    final class KeyValueSubscription<Downstream: Subscriber>: Subscription, @unchecked Sendable
    where Downstream.Failure == Never {
        private struct State {
            var downstream: Downstream?
            var read: (() -> Downstream.Input)?
            var observation: NSKeyValueObservation?
            var demand = Subscribers.Demand.none
            var isDue = false
        }

        private let lock = NSLock()
        private var state: State

        init(_ downstream: Downstream, read: @escaping () -> Downstream.Input) {
            state = State(downstream: downstream, read: read)
        }

        /// Runs a short closure alone. Downstream's code is never called in it.
        private func locked<Result>(_ body: (inout State) -> Result) -> Result {
            lock.withLock { body(&state) }
        }

        func start(
            _ observe: (@escaping () -> Void) -> NSKeyValueObservation, sendingFirst: Bool
        ) {
            if locked({ $0.downstream == nil }) { return }
            let observation = observe { [weak self] in self?.changed() }
            // Downstream may have cancelled meanwhile.
            let isWanted = locked { state in
                if state.downstream != nil { state.observation = observation }
                return state.downstream != nil
            }
            if !isWanted { return observation.invalidate() }
            if sendingFirst { changed() }
        }

        private func changed() {
            locked { $0.isDue = true }
            send()
        }

        /// Sends the present value if one is due and wanted.
        private func send() {
            let next = locked { state -> (Downstream, () -> Downstream.Input)? in
                guard state.isDue, state.demand > 0, let downstream = state.downstream,
                    let read = state.read
                else { return nil }
                state.isDue = false
                state.demand -= 1
                return (downstream, read)
            }
            guard let (downstream, read) = next else { return }
            let more = downstream.receive(read())
            locked { $0.demand += more }
        }

        func request(_ demand: Subscribers.Demand) {
            locked { $0.demand += demand }
            send()
        }

        func cancel() {
            // Values that it held are released outside of the lock.
            let held = locked { state in
                let held = state
                state = State()
                return held
            }
            held.observation?.invalidate()
        }
    }
#endif
