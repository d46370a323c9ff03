// The queue or executor that a context's work runs on.

import CoreDataSupport
import Dispatch
import Foundation

/// Runs blocks where a context belongs and knows whether the caller is there already.
final class ContextConfinement: Sendable {
    private enum WorkQueue {
        case main(DispatchQueue)
        /// Runs nothing but the context's blocks.
        case own(ContextLine)
        /// A queue of the client's, which knows the key.
        case shared(DispatchQueue, DispatchSpecificKey<Bool>)
        case executor(SerialExecutorQueue)
    }

    let type: NSManagedObjectContextConcurrencyType
    private let workQueue: WorkQueue
    /// Tells queues apart: contexts on one queue have the same.
    let place: ObjectIdentifier

    convenience init(_ type: NSManagedObjectContextConcurrencyType) {
        self.init(type == .mainQueueConcurrencyType ? .mainQueue : .privateQueue, type: type)
    }

    init(_ executor: NSManagedObjectContext.Executor, type: NSManagedObjectContextConcurrencyType? = nil) {
        switch executor.kind {
        case .mainQueue:
            (self.type, workQueue, place) = (
                .mainQueueConcurrencyType, .main(Self.main), ObjectIdentifier(Self.main)
            )
            return
        case .privateQueue:
            let line = ContextLine()
            (workQueue, place) = (.own(line), ObjectIdentifier(line))
        case .queue(let queue):
            let key = DispatchSpecificKey<Bool>()
            queue.setSpecific(key: key, value: true)
            queue.setSpecific(key: Self.placeKey, value: ObjectIdentifier(queue))
            (workQueue, place) = (.shared(queue, key), ObjectIdentifier(queue))
        case .executor(let executor, let isCurrent):
            workQueue = .executor(SerialExecutorQueue(executor, isCurrent: isCurrent))
            place = ObjectIdentifier(executor)
        }
        self.type = type ?? .privateQueueConcurrencyType
    }

    /// In words.
    var description: String {
        switch workQueue {
        case .main: "the main queue"
        case .own: "a private queue"
        case .shared(let queue, _): "queue \"\(queue.label)\""
        case .executor(let workQueue): "executor \(workQueue.executor)"
        }
    }

    /// Indicates whether the caller runs where the context belongs, or a block of the context waits for the
    /// caller: nobody else can run there in the meantime.
    var isCurrent: Bool { HeldContext.isHeld(place) || isRunning }

    /// Indicates whether the caller runs there without being a block of the context's.
    private var isRunning: Bool {
        switch workQueue {
        case .main: Self.isOnMain
        case .own: false
        case .shared(_, let key): DispatchQueue.getSpecific(key: key) == true
        case .executor(let workQueue): workQueue.isRunning
        }
    }

    /// Indicates whether the caller runs on the main queue. If the program is asynchronous from `main()` on, other threads
    /// than the main one serve it.
    static var isOnMain: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: mainKey) == true }

    /// The queues that the caller occupies. Executors are known by the blocks that contexts run on them.
    private static var occupied: [ObjectIdentifier] {
        var places = HeldContext.places
        if isOnMain { places.append(ObjectIdentifier(main)) }
        if let place = DispatchQueue.getSpecific(key: placeKey) { places.append(place) }
        return places
    }

    /// The mark of the main queue.
    private static let mainKey: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()
    /// The place of a client's queue.
    private static let placeKey = DispatchSpecificKey<ObjectIdentifier>()

    /// The one object for the main queue by which its contexts are told apart.
    private static let main = DispatchQueue.main

    /// Runs a block there, later.
    func async(_ block: @escaping @Sendable () -> Void) {
        switch workQueue {
        case .main(let queue):
            let watch = MainQueueWatch.shared
            watch.expect()
            queue.async {
                watch.noteService()
                block()
            }
        case .own(let line): line.async(block)
        case .shared(let queue, _): queue.async(execute: block)
        case .executor(let workQueue): workQueue.async(block)
        }
    }

    /// Runs a block there as the context's, and waits for it. At once, if the caller is there.
    ///
    /// - Parameter child: a context that asks its parent, this one.
    func sync<Result, Failure: Error>(
        as context: NSManagedObjectContext, for child: NSManagedObjectContext? = nil,
        _ block: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = HeldContext.current
        if isCurrent { return try context.asCurrent(outer: outer, block) }
        if case .own(let line) = workQueue, line.tryEnter() {
            defer { line.leave() }
            return try context.asCurrent(outer: outer, block)
        }
        let occupied = Self.occupied
        if case .shared(let queue, _) = workQueue, occupied.isEmpty {
            return try queue.run { () throws(Failure) in try context.asCurrent(outer: outer, block) }
        }
        let asker = child ?? outer?.pointee.context
        return try visit(holding: occupied, isQuestion: asker?.isBelow(context) == true) {
            () throws(Failure) in
            try context.asCurrent(outer: outer, block)
        }
    }

    /// Waits for a block's turn, in which another thread may run it.
    private func visit<Value, Failure: Error>(
        holding occupied: [ObjectIdentifier], isQuestion: Bool, block: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        var result: Result<Value, Failure>?
        withoutActuallyEscaping(block) { block in
            withUnsafeMutablePointer(to: &result) { result in
                let visit = ContextVisit(to: place, holding: occupied, isQuestion: isQuestion) {
                    if case .main = self.workQueue { MainQueueWatch.shared.noteService() }
                    result.pointee = Result(catching: block)
                }
                visit.wait {
                    enqueue(visit)
                } leave: {
                    if case .own(let line) = workQueue { line.leave() }
                }
            }
        }
        guard let result else {
            raise(.internalInconsistency, "\(description) dropped a block that it was given")
        }
        return try result.get()
    }

    private func enqueue(_ visit: ContextVisit) {
        if case .own(let line) = workQueue { return line.enter(visit) }
        async { if visit.claim() { visit.run() } }
    }
}

extension NSManagedObjectContext {
    /// Runs a block on this context's queue for a child that asks something, and waits for it.
    final func answer<Answer, Failure: Error>(
        _ child: NSManagedObjectContext, block: () throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        try confinement.sync(as: self, for: child, block)
    }

    /// Returns whether another context is this one's parent, or its parent's.
    fileprivate final func isBelow(_ other: NSManagedObjectContext) -> Bool {
        var next = parentContext
        while let context = next {
            if context === other { return true }
            next = context.parentContext
        }
        return false
    }
}

extension DispatchQueue {
    /// `sync` with typed errors.
    fileprivate func run<Value, Failure: Error>(_ block: () throws(Failure) -> Value) throws(Failure) -> Value
    {
        try sync { Result(catching: block) }.get()
    }
}
