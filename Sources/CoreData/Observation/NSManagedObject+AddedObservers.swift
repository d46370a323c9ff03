// Observers by `observeValue`: of objects by key path, of contexts by `"hasChanges"`.

import CoreDataSupport
import Foundation

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
