// Which queue or executor a context's work runs on.

import CoreDataSupport
import Dispatch
import Foundation

/// Runs blocks where a context belongs and knows whether the caller is there already.
final class ContextConfinement: Sendable {
    private enum Lane {
        case main(DispatchQueue)
        /// A queue that runs nothing but the context's blocks.
        case own(DispatchQueue)
        /// A queue of the client's, which knows the key.
        case shared(DispatchQueue, DispatchSpecificKey<Bool>)
        case executor(ExecutorLane)
    }

    let type: NSManagedObjectContextConcurrencyType
    private let lane: Lane

    convenience init(_ type: NSManagedObjectContextConcurrencyType) {
        self.init(type == .mainQueueConcurrencyType ? .mainQueue : .privateQueue, type: type)
    }

    init(_ executor: NSManagedObjectContext.Executor, type: NSManagedObjectContextConcurrencyType? = nil) {
        switch executor.kind {
        case .mainQueue:
            (self.type, lane) = (.mainQueueConcurrencyType, .main(Self.main))
            return
        case .privateQueue: lane = .own(DispatchQueue(label: "NSManagedObjectContext"))
        case .queue(let queue):
            let key = DispatchSpecificKey<Bool>()
            queue.setSpecific(key: key, value: true)
            lane = .shared(queue, key)
        case .executor(let executor, let isCurrent):
            lane = .executor(ExecutorLane(executor, isCurrent: isCurrent))
        }
        self.type = type ?? .privateQueueConcurrencyType
    }

    /// In words.
    var place: String {
        switch lane {
        case .main: "the main queue"
        case .own: "a private queue"
        case .shared(let queue, _): "queue \"\(queue.label)\""
        case .executor(let lane): "executor \(lane.executor)"
        }
    }

    /// Whether the caller runs where the context belongs, or a block of the context waits for the caller: nobody
    /// else can run there in the meantime.
    var isCurrent: Bool { HeldContext.isHeld(self) || isRunning }

    /// Whether the caller runs there without being a block of the context's.
    private var isRunning: Bool {
        switch lane {
        case .main: Thread.isMainThread || DispatchQueue.getSpecific(key: Self.mainKey) == true
        case .own: false
        case .shared(_, let key): DispatchQueue.getSpecific(key: key) == true
        case .executor(let lane): lane.isRunning
        }
    }

    private static let mainKey = DispatchSpecificKey<Bool>()

    /// The main queue. Where the program is asynchronous from `main()` on, other threads than the main one serve it.
    private static let main: DispatchQueue = {
        DispatchQueue.main.setSpecific(key: mainKey, value: true)
        return .main
    }()

    /// Runs a block there, later.
    func async(_ block: @escaping @Sendable () -> Void) {
        switch lane {
        case .main(let queue):
            let watch = MainQueueWatch.shared
            watch.expect()
            queue.async {
                watch.noteService()
                block()
            }
        case .own(let queue), .shared(let queue, _): queue.async(execute: block)
        case .executor(let lane): lane.async(block)
        }
    }

    /// Runs a block there as the context's, and waits for it. At once, if the caller is there.
    func sync<Result, Failure: Error>(
        as context: NSManagedObjectContext, _ block: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = HeldContext.current
        if isCurrent { return try context.asCurrent(outer: outer, block) }
        switch lane {
        case .own(let queue), .shared(let queue, _):
            return try queue.run { () throws(Failure) in try context.asCurrent(outer: outer, block) }
        case .main(let queue):
            let watch = MainQueueWatch.shared
            watch.expect()
            return try queue.run { () throws(Failure) in
                watch.noteService()
                return try context.asCurrent(outer: outer, block)
            }
        case .executor(let lane):
            return try lane.sync { () throws(Failure) in try context.asCurrent(outer: outer, block) }
        }
    }
}

extension DispatchQueue {
    /// `sync` with typed errors.
    fileprivate func run<Value, Failure: Error>(_ block: () throws(Failure) -> Value) throws(Failure) -> Value
    {
        try sync { Result(catching: block) }.get()
    }
}
