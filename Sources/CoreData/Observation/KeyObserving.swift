// Observing objects by key with closures, in place of key-value observing.

import CoreDataSchema
import CoreDataSupport
import Foundation

/// Objects whose keys can be observed. A protocol only so that closures get the object in its own class.
public protocol KeyObserving: NSManagedObject {}

extension NSManagedObject: KeyObserving {}

extension KeyObserving {
    /// Calls a closure at each change of a key's value: by accessors, `setValue(_:forKey:)`, the other side of a
    /// relationship, `willChangeValue(forKey:)` with `didChangeValue(forKey:)`, undo, refresh, rollback and merging.
    ///
    /// The key is a property of the model, a key that the class states in `registerKeys(in:)` or whose value it says to be made
    /// of others, one of the flags
    /// `hasChanges`, `isInserted`, `isUpdated`, `isDeleted`, `isFault`, or a path through to-one relationships
    /// (`"company.name"`). The closure runs where the change is made, when both sides of a relationship are set.
    ///
    /// - Parameters:
    ///   - key: the key, or a path.
    ///   - options: which values a change has, and whether to call the closure at once.
    ///   - changeHandler: gets the object and the change.
    /// - Returns: what ends the observation when it is released. It doesn't keep the object alive.
    public func observe(
        _ key: String, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (Self, NSKeyValueObservedChange<Any>) -> Void
    ) -> NSKeyValueObservation {
        observe(key, as: Any.self, options: options, changeHandler: changeHandler)
    }

    /// Observes a key whose values are of one type: `String?.self` where nil is a value too.
    ///
    /// - Parameters:
    ///   - key: the key, or a path.
    ///   - type: the type of the values.
    ///   - options: which values a change has, and whether to call the closure at once.
    ///   - changeHandler: gets the object and the change.
    /// - Returns: what ends the observation when it is released.
    public func observe<Value>(
        _ key: String, as type: Value.Type, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        startObserving(key, options: options) { object, change in
            if let object = object as? Self { changeHandler(object, change.typed(type)) }
        }
    }

    /// Observes several keys with one closure, which is told whose value changed.
    ///
    /// - Parameters:
    ///   - keys: keys, or paths.
    ///   - options: which values a change has, and whether to call the closure at once.
    ///   - changeHandler: gets the object, the key and the change.
    /// - Returns: what ends the observations when it is released.
    public func observe(
        _ keys: [String], options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (Self, String, NSKeyValueObservedChange<Any>) -> Void
    ) -> NSKeyValueObservation {
        let observations = keys.map { key in
            observe(key, options: options) { object, change in changeHandler(object, key, change) }
        }
        return NSKeyValueObservation { for observation in observations { observation.invalidate() } }
    }
}

extension KeyObserving where Self: KeyPathNaming {
    /// Observes the key that a Swift key path reads (`\.name`). Raises if the class doesn't name the key path.
    ///
    /// - Parameters:
    ///   - keyPath: the key path, such as `\.name`.
    ///   - options: which values a change has, and whether to call the closure at once.
    ///   - changeHandler: gets the object and the change.
    /// - Returns: what ends the observation when it is released.
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        observe(
            KeyPathNames.pathOrRaise(keyPath), as: Value.self, options: options, changeHandler: changeHandler)
    }

    /// Says that the value that a Swift key path reads is about to change. Raises if the class doesn't name the key path.
    public func willChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
        willChangeValue(forKey: KeyPathNames.pathOrRaise(keyPath))
    }

    /// Says that the value that a Swift key path reads has changed. Raises if the class doesn't name the key path.
    public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
        didChangeValue(forKey: KeyPathNames.pathOrRaise(keyPath))
    }
}

extension NSManagedObject {
    final func startObserving(
        _ path: String, options: NSKeyValueObservingOptions,
        handler: @escaping (NSManagedObject, NSKeyValueObservedChange<Any>) -> Void
    ) -> NSKeyValueObservation {
        if path.contains(".") {
            let chain = ObservedPath(path, of: self, options: options, handler: handler)
            return NSKeyValueObservation { chain.end() }
        }
        guard isObservable(path) else {
            raise(
                .invalidArgument,
                "\"\(path)\" of entity \"\(runtime.name)\" can't be observed: neither the model nor the class "
                    + "knows the key")
        }
        let affecting = runtime.binding.pathsAffecting(path)
        let observer = KeyObserver(
            path, affecting: affecting.filter { !$0.contains(".") }, options: options, handler: handler)
        observers.add(observer)
        observer.follow(affecting.filter { $0.contains(".") }.sorted(), of: self)
        updateTracking()
        if options.contains(.initial) { observer.callInitially(self) }
        return NSKeyValueObservation { [weak self] in
            guard let self else { return }
            observers.remove(observer)
            updateTracking()
        }
    }

    private final func isObservable(_ key: String) -> Bool {
        runtime.propertyNumbers[key] != nil || runtime.binding.keys[key] != nil
            || ObservedStatus.keys.contains(key) || !runtime.binding.pathsAffecting(key).isEmpty
    }
}
