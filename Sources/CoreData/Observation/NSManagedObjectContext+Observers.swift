// Observing whether a context has changes.

import CoreDataSupport
import Foundation

extension NSManagedObjectContext {
    /// Observes `hasChanges`, the one property of contexts that is observable on Apple's systems too. Raises for others.
    ///
    /// The closure is called on the context's queue: at the first change, and when a save, a rollback, a reset or the end of an
    /// event leaves none. As on Apple's systems it must not use the context or its objects. A change's prior call comes
    /// when the value is the new one already.
    ///
    /// - Parameters:
    ///   - keyPath: `\.hasChanges`.
    ///   - options: which values a change has, and whether to call the closure at once.
    ///   - changeHandler: gets the context and the change.
    /// - Returns: what ends the observation when it is released. It doesn't keep the context alive.
    public final func observe<Value>(
        _ keyPath: KeyPath<NSManagedObjectContext, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (NSManagedObjectContext, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        guard keyPath == \NSManagedObjectContext.hasChanges else {
            raise(.invalidArgument, "of a context only hasChanges can be observed, not \(keyPath)")
        }
        return observeChanges(options) { context, change in
            changeHandler(context, change.typed(Value.self))
        }
    }

    final func observeChanges(
        _ options: NSKeyValueObservingOptions,
        handler: @escaping (NSManagedObjectContext, NSKeyValueObservedChange<Any>) -> Void
    ) -> NSKeyValueObservation {
        let observers = changesObservers ?? ContextObservers(hasChanges)
        changesObservers = observers
        let observer = ContextObservers.Observer(options) { [weak self] change in
            if let self { handler(self, change) }
        }
        observers.list.append(observer)
        if options.contains(.initial) { observer.tell(new: hasChanges, old: nil) }
        return NSKeyValueObservation { [weak self] in
            observer.isActive = false
            self?.changesObservers?.list.removeAll { $0 === observer }
        }
    }

    /// Called wherever changes come or go.
    @inline(__always)
    final func announceChanges() {
        if let changesObservers { changesObservers.announce(hasChanges) }
    }
}
