// Observing whether a context has changes.

import CoreDataSupport
import Foundation

/// The observers of one context's `hasChanges`, and the value that they know.
final class ContextObservers {
    fileprivate final class Observer {
        let options: NSKeyValueObservingOptions
        private let handler: (NSKeyValueObservedChange<Any>) -> Void
        /// Ended observers may still be in a list that is being gone through.
        var isActive = true

        init(
            _ options: NSKeyValueObservingOptions,
            handler: @escaping (NSKeyValueObservedChange<Any>) -> Void
        ) {
            (self.options, self.handler) = (options, handler)
        }

        func tell(new: Bool?, old: Bool?, isPrior: Bool = false) {
            guard isActive else { return }
            handler(
                .init(
                    kind: .setting, newValue: options.contains(.new) ? new : nil,
                    oldValue: options.contains(.old) ? old : nil, indexes: nil, isPrior: isPrior))
        }
    }

    fileprivate var list: [Observer] = []
    private var known: Bool
    /// The observers that were added with a key path.
    let added = AddedObservers()

    init(_ hasChanges: Bool) {
        known = hasChanges
    }

    /// Tells everybody if the value is another one.
    func announce(_ hasChanges: Bool) {
        if hasChanges == known { return }
        let old = known
        known = hasChanges
        for observer in list {
            if observer.options.contains(.prior) { observer.tell(new: nil, old: old, isPrior: true) }
            observer.tell(new: hasChanges, old: old)
        }
    }
}

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
