// The observers that `addObserver` added to an object, with the keys that they observe.

import CoreDataSupport
import Foundation

/// The observations that objects were added for, with those that observe.
package final class AddedObservers {
    private struct Added {
        weak var observer: (any KeyValueObserving)?
        /// An observer that removes itself in `deinit` is nil to weak references already.
        let identity: ObjectIdentifier
        let keyPath: String
        let context: UnsafeMutableRawPointer?
        let observation: NSKeyValueObservation
    }

    private var list: [Added] = []

    package init() {}

    package func add(
        _ observer: any KeyValueObserving, keyPath: String, context: UnsafeMutableRawPointer?,
        observation: NSKeyValueObservation
    ) {
        for added in list where added.observer == nil { added.observation.invalidate() }
        list.removeAll { $0.observer == nil }
        list.append(
            Added(
                observer: observer, identity: ObjectIdentifier(observer), keyPath: keyPath, context: context,
                observation: observation))
    }

    /// The closure of an observation: the observer's method, with Apple's dictionary.
    package static func handler<Object: AnyObject>(
        _ observer: any KeyValueObserving, keyPath: String, options: NSKeyValueObservingOptions,
        context: UnsafeMutableRawPointer?
    ) -> (Object, NSKeyValueObservedChange<Any>) -> Void {
        var isInitial = options.contains(.initial)
        return { [weak observer] object, change in
            let dictionary = change.dictionary(options, isInitial: isInitial)
            isInitial = false
            observer?.observeValue(
                forKeyPath: keyPath, of: object, change: dictionary, context: context)
        }
    }

    /// Ends the latest observation that fits, in one context if one is given. Returns false if there is none.
    package func remove(
        _ observer: any KeyValueObserving, keyPath: String, in context: UnsafeMutableRawPointer?? = nil
    ) -> Bool {
        let index = list.lastIndex { added in
            added.identity == ObjectIdentifier(observer) && added.keyPath == keyPath
                && context.map { $0 == added.context } ?? true
        }
        guard let index else { return false }
        list.remove(at: index).observation.invalidate()
        return true
    }

    package static func raiseMissing(
        _ observer: any KeyValueObserving, keyPath: String, of object: AnyObject
    ) -> Never {
        raise(
            .range,
            "\(type(of: observer)) can't be removed from \(type(of: object)): it doesn't observe \"\(keyPath)\""
        )
    }
}

extension NSKeyValueObservedChange where Value == Any {
    /// The change as `observeValue` is told of it.
    fileprivate func dictionary(
        _ options: NSKeyValueObservingOptions, isInitial: Bool
    ) -> [NSKeyValueChangeKey: Any] {
        var change: [NSKeyValueChangeKey: Any] = [.kindKey: NSNumber(value: kind.rawValue)]
        if isPrior { change[.notificationIsPriorKey] = true }
        if let indexes { change[.indexesKey] = indexes }
        let missing: NSNull? = kind == .setting ? NSNull() : nil
        if options.contains(.old), !isInitial { change[.oldKey] = oldValue ?? missing }
        if options.contains(.new), !isPrior { change[.newKey] = newValue ?? missing }
        return change
    }
}
