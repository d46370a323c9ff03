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

extension NSManagedObject {
    /// Has an observer's `observeValue` called at each change of a key path, as `observe(_:options:changeHandler:)` calls its
    /// closure. Raises for what can't be observed.
    ///
    /// Neither object keeps the other. An observation ends with `removeObserver(_:forKeyPath:)`, and with either of the two.
    ///
    /// - Parameters:
    ///   - observer: the object to tell.
    ///   - keyPath: the key, or a path through to-one relationships.
    ///   - options: which values a change has, and whether to tell at once.
    ///   - context: a pointer that the observer gets, and that `removeObserver(_:forKeyPath:context:)` knows
    ///     the observation by.
    public final func addObserver(
        _ observer: any KeyValueObserving, forKeyPath keyPath: String,
        options: NSKeyValueObservingOptions = [], context: UnsafeMutableRawPointer?
    ) {
        let observation = startObserving(
            keyPath, options: options,
            handler: AddedObservers.handler(observer, keyPath: keyPath, options: options, context: context))
        let added = observers.added ?? AddedObservers()
        observers.added = added
        added.add(observer, keyPath: keyPath, context: context, observation: observation)
    }

    /// Ends the observer's latest observation of a key path. Raises if there is none.
    ///
    /// - Parameters:
    ///   - observer: the observer.
    ///   - keyPath: the key path that it observes.
    public final func removeObserver(_ observer: any KeyValueObserving, forKeyPath keyPath: String) {
        remove(
            observer, keyPath: keyPath, removed: extras?.observers?.added?.remove(observer, keyPath: keyPath))
    }

    /// Ends the observer's observation of a key path that was added with a context. Raises if there is none.
    ///
    /// - Parameters:
    ///   - observer: the observer.
    ///   - keyPath: the key path that it observes.
    ///   - context: the pointer that it was added with.
    public final func removeObserver(
        _ observer: any KeyValueObserving, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
    ) {
        remove(
            observer, keyPath: keyPath,
            removed: extras?.observers?.added?.remove(observer, keyPath: keyPath, in: .some(context)))
    }

    private final func remove(_ observer: any KeyValueObserving, keyPath: String, removed: Bool?) {
        if removed != true { AddedObservers.raiseMissing(observer, keyPath: keyPath, of: self) }
    }
}

extension NSManagedObjectContext {
    /// Has an observer's `observeValue` called when `"hasChanges"` changes. Raises for other key paths: see
    /// `observe(_:options:changeHandler:)`.
    ///
    /// - Parameters:
    ///   - observer: the object to tell.
    ///   - keyPath: `"hasChanges"`.
    ///   - options: which values a change has, and whether to tell at once.
    ///   - context: a pointer that the observer gets.
    public final func addObserver(
        _ observer: any KeyValueObserving, forKeyPath keyPath: String,
        options: NSKeyValueObservingOptions = [], context: UnsafeMutableRawPointer?
    ) {
        guard keyPath == "hasChanges" else {
            raise(.invalidArgument, "of a context only hasChanges can be observed, not \"\(keyPath)\"")
        }
        let observation = observeChanges(
            options,
            handler: AddedObservers.handler(observer, keyPath: keyPath, options: options, context: context))
        changesObservers?.added.add(observer, keyPath: keyPath, context: context, observation: observation)
    }

    /// Ends the observer's latest observation. Raises if there is none.
    ///
    /// - Parameters:
    ///   - observer: the observer.
    ///   - keyPath: `"hasChanges"`.
    public final func removeObserver(_ observer: any KeyValueObserving, forKeyPath keyPath: String) {
        remove(
            observer, keyPath: keyPath, removed: changesObservers?.added.remove(observer, keyPath: keyPath))
    }

    /// Ends the observer's observation that was added with a context. Raises if there is none.
    ///
    /// - Parameters:
    ///   - observer: the observer.
    ///   - keyPath: `"hasChanges"`.
    ///   - context: the pointer that it was added with.
    public final func removeObserver(
        _ observer: any KeyValueObserving, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
    ) {
        remove(
            observer, keyPath: keyPath,
            removed: changesObservers?.added.remove(observer, keyPath: keyPath, in: .some(context)))
    }

    private final func remove(_ observer: any KeyValueObserving, keyPath: String, removed: Bool?) {
        if removed != true { AddedObservers.raiseMissing(observer, keyPath: keyPath, of: self) }
    }
}
