// Observing a migration by key path, in place of key-value observing.

import CoreDataSupport
import Foundation

extension NSMigrationManager {
    /// Calls a closure at each change of `\.migrationProgress` or `\.currentEntityMapping`, on the thread that migrates.
    /// Any other key path stops the process.
    ///
    /// - Parameters:
    ///   - keyPath: `\.migrationProgress` or `\.currentEntityMapping`.
    ///   - options: which values the change has, and whether to call the closure at once.
    ///   - changeHandler: gets the manager and the change.
    /// - Returns: what ends the observation when it is released. It doesn't keep the manager alive.
    public final func observe<Value>(
        _ keyPath: KeyPath<NSMigrationManager, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (NSMigrationManager, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        let key: MigrationObserver.Key
        switch keyPath as AnyKeyPath {
        case \NSMigrationManager.migrationProgress: key = .progress
        case \NSMigrationManager.currentEntityMapping: key = .mapping
        default:
            raise(
                .invalidArgument,
                "Only migrationProgress and currentEntityMapping of a migration manager can be observed")
        }
        let call = { [weak self] (old: Value?, isPrior: Bool) in
            guard let self else { return }
            let new = options.contains(.new) && !isPrior ? self[keyPath: keyPath] : nil
            changeHandler(
                self,
                NSKeyValueObservedChange(
                    kind: .setting, newValue: new, oldValue: options.contains(.old) ? old : nil, indexes: nil,
                    isPrior: isPrior))
        }
        if options.contains(.initial) { call(nil, false) }
        var old: Value?
        let observer = MigrationObserver(
            key: key,
            before: { [weak self] in
                old = self?[keyPath: keyPath]
                if options.contains(.prior) { call(old, true) }
            }, after: { call(old, false) })
        return NSKeyValueObservation(status.add(observer))
    }

    final func setProgress(_ progress: Float) {
        willChangeValue(forKey: "migrationProgress")
        status.setProgress(progress)
        didChangeValue(forKey: "migrationProgress")
    }

    final func setMapping(_ mapping: NSEntityMapping) {
        willChangeValue(forKey: "currentEntityMapping")
        status.setMapping(mapping)
        didChangeValue(forKey: "currentEntityMapping")
    }
}
