// Observers of whether a context has changes, and what they know.

import CoreDataSupport
import Foundation

/// The observers of one context's `hasChanges`, and the value that they know.
final class ContextObservers {
    final class Observer {
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

    var list: [Observer] = []
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
