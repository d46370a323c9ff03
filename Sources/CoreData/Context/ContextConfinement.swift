// Which queue a context's work runs on.

import CoreDataSupport
import Dispatch
import Foundation

/// Runs blocks on a context's queue and knows whether the caller is there already.
final class ContextConfinement: Sendable {
    let type: NSManagedObjectContextConcurrencyType
    private let queue: DispatchQueue
    private let key = DispatchSpecificKey<Bool>()

    init(_ type: NSManagedObjectContextConcurrencyType) {
        self.type = type
        switch type {
        case .mainQueueConcurrencyType: queue = Self.main
        default:
            queue = DispatchQueue(label: "NSManagedObjectContext")
            queue.setSpecific(key: key, value: true)
        }
    }

    /// In words.
    var place: String {
        type == .mainQueueConcurrencyType ? "the main queue" : "a private queue"
    }

    /// Whether the caller runs on the queue, or waits for a block of another context from there: Dispatch runs
    /// a block that is waited for on the waiting thread, so that thread still has this queue to itself.
    var isCurrent: Bool {
        if NSManagedObjectContext.held.contains(where: { $0.confinement === self }) { return true }
        if type != .mainQueueConcurrencyType { return DispatchQueue.getSpecific(key: key) == true }
        return Thread.isMainThread || DispatchQueue.getSpecific(key: Self.mainKey) == true
    }

    private static let mainKey = DispatchSpecificKey<Bool>()

    /// The main queue. Where the program is asynchronous from `main()` on, other threads than the main one serve it.
    private static let main: DispatchQueue = {
        DispatchQueue.main.setSpecific(key: mainKey, value: true)
        return .main
    }()

    func async(_ block: @escaping @Sendable () -> Void) {
        queue.async(execute: block)
    }

    func sync<Result>(_ block: () throws -> Result) rethrows -> Result {
        isCurrent ? try block() : try queue.sync(execute: block)
    }
}

extension NSManagedObjectContext {
    private static let threadKey = "CoreData.NSManagedObjectContext.held"

    /// The contexts whose blocks run on this thread, innermost last.
    fileprivate static var held: [NSManagedObjectContext] {
        Thread.current.threadDictionary[threadKey] as? [NSManagedObjectContext] ?? []
    }

    /// The context whose block runs on this thread, the innermost one.
    static var current: NSManagedObjectContext? { held.last }

    /// Runs a block as this context's.
    final func asCurrent<Result>(_ block: () throws -> Result) rethrows -> Result {
        let dictionary = Thread.current.threadDictionary
        let outer = Self.held
        dictionary[Self.threadKey] = outer + [self]
        defer { dictionary[Self.threadKey] = outer }
        return try block()
    }
}
