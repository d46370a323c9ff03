// The executors that a context's work may run on.

import CoreDataSupport
public import Dispatch

extension NSManagedObjectContext {
    /// The executor of a context's blocks: the main queue, a queue, or an executor of Swift's concurrency.
    ///
    /// Each runs one block at a time. It matters for programs whose main thread doesn't serve the main queue,
    /// servers above all: there a container's `viewContext` needs another executor.
    public struct Executor: Sendable {
        enum Kind: Sendable {
            case mainQueue
            case privateQueue
            case queue(DispatchQueue)
            case executor(any SerialExecutor, isCurrent: (@Sendable () -> Bool)?)
        }

        let kind: Kind

        /// The main queue, which the main thread must serve: by a run loop, `dispatchMain()` or an asynchronous
        /// `main()`.
        public static let mainQueue = Executor(kind: .mainQueue)

        /// A queue of the context's own.
        public static let privateQueue = Executor(kind: .privateQueue)

        /// Returns a serial queue of the program's. Code that runs on it may use the context directly. Raises
        /// for the global queues, which run several blocks at a time.
        public static func queue(_ queue: DispatchQueue) -> Executor {
            // Off Apple's systems each use of `main` and `global` makes a new object around the queue.
            if queue.label == DispatchQueue.main.label { return mainQueue }
            if DispatchQoS.QoSClass.all.contains(where: { queue.label == DispatchQueue.global(qos: $0).label }
            ) {
                raise(.invalidArgument, "a context needs a serial queue: global queues run blocks at once")
            }
            return Executor(kind: .queue(queue))
        }

        /// Returns an executor of actors, for instance that of an event loop.
        ///
        /// - Parameters:
        ///   - executor: Runs the blocks, one after the other.
        ///   - isCurrent: Says whether the caller runs on the executor. Without it the executor's own
        ///     `isIsolatingCurrentContext()` is asked; where neither knows, use the context only inside `perform`
        ///     and `performAndWait`, and never call `performAndWait` from the executor itself.
        public static func executor(
            _ executor: any SerialExecutor, isCurrent: (@Sendable () -> Bool)? = nil
        ) -> Executor {
            Executor(kind: .executor(executor, isCurrent: isCurrent))
        }
    }

    /// A context whose work runs on a given executor. Its `concurrencyType` is that of the main queue for
    /// `mainQueue`, and of a private queue for all others.
    public convenience init(executor: Executor) {
        let confinement = ContextConfinement(executor)
        self.init(concurrencyType: confinement.type)
        self.confinement = confinement
    }
}

extension DispatchQoS.QoSClass {
    fileprivate static let all: [Self] = [
        .background, .utility, .default, .userInitiated, .userInteractive, .unspecified,
    ]
}
