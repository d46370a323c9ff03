// Observers of a migration by `observeValue`: how far it is, and at which mapping.

import CoreDataSupport
import Foundation

extension NSMigrationManager {
    /// Has an observer's `observeValue` called when `"migrationProgress"` or `"currentEntityMapping"` changes, on the thread that
    /// migrates. Raises for other key paths: see `observe(_:options:changeHandler:)`.
    ///
    /// Neither object keeps the other. An observation ends with `removeObserver(_:forKeyPath:)`, and with either of the two.
    ///
    /// - Parameters:
    ///   - observer: the object to tell.
    ///   - keyPath: `"migrationProgress"` or `"currentEntityMapping"`.
    ///   - options: which values a change has, and whether to tell at once.
    ///   - context: a pointer that the observer gets.
    public final func addObserver(
        _ observer: any KeyValueObserving, forKeyPath keyPath: String,
        options: NSKeyValueObservingOptions = [], context: UnsafeMutableRawPointer?
    ) {
        let handler: (NSMigrationManager, NSKeyValueObservedChange<Any>) -> Void =
            AddedObservers.handler(observer, keyPath: keyPath, options: options, context: context)
        let observation =
            switch keyPath {
            case "migrationProgress":
                observe(\.migrationProgress, options: options) {
                    handler($0, $1.mapped(NSNumber.init(value:)))
                }
            case "currentEntityMapping":
                observe(\.currentEntityMapping, options: options) { handler($0, $1.mapped { $0 }) }
            default:
                raise(
                    .invalidArgument,
                    "of a migration manager only migrationProgress and currentEntityMapping can be observed, not "
                        + "\"\(keyPath)\"")
            }
        status.withAdded { $0.add(observer, keyPath: keyPath, context: context, observation: observation) }
    }

    /// Ends the observer's latest observation of a key path. Raises if there is none.
    ///
    /// - Parameters:
    ///   - observer: the observer.
    ///   - keyPath: the key path that it observes.
    public final func removeObserver(_ observer: any KeyValueObserving, forKeyPath keyPath: String) {
        let removed = status.withAdded { $0.remove(observer, keyPath: keyPath) }
        if !removed { AddedObservers.raiseMissing(observer, keyPath: keyPath, of: self) }
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
        let removed = status.withAdded { $0.remove(observer, keyPath: keyPath, in: .some(context)) }
        if !removed { AddedObservers.raiseMissing(observer, keyPath: keyPath, of: self) }
    }
}

extension NSKeyValueObservedChange {
    /// The change with values of another form.
    fileprivate func mapped(_ form: (Value) -> Any) -> NSKeyValueObservedChange<Any> {
        NSKeyValueObservedChange<Any>(
            kind: kind, newValue: newValue.map(form), oldValue: oldValue.map(form), indexes: indexes,
            isPrior: isPrior)
    }
}
