// Observers of progresses in Apple's first manner: an object with `observeValue`.

public import CoreData
import CoreDataSupport
public import Foundation
import Synchronization

extension Progress {
    /// Has an observer's `observeValue` called when a property changes, as `observe(_:options:changeHandler:)` calls its
    /// closure: on a thread of its own, up to ten times a second. Raises for what a progress hasn't.
    ///
    /// Neither object keeps the other. An observation ends with `removeObserver(_:forKeyPath:)`, and with either of the two.
    ///
    /// - Parameters:
    ///   - observer: the object whose `observeValue` is called.
    ///   - keyPath: the property's name, such as `"fractionCompleted"`.
    ///   - options: which values the observer is given, and whether it is called at once.
    ///   - context: given to the observer as it is; tells its observations apart.
    public func addObserver(
        _ observer: any KeyValueObserving, forKeyPath keyPath: String,
        options: NSKeyValueObservingOptions = [], context: UnsafeMutableRawPointer?
    ) {
        guard let read = Self.values[keyPath] else {
            raise(.invalidArgument, "of a progress \"\(keyPath)\" can't be observed")
        }
        let handler: (Progress, NSKeyValueObservedChange<Any>) -> Void =
            AddedObservers.handler(observer, keyPath: keyPath, options: options, context: context)
        let observation = watch(read, options: options) { progress, change in
            handler(
                progress,
                NSKeyValueObservedChange(
                    kind: change.kind, newValue: change.newValue, oldValue: change.oldValue, indexes: nil,
                    isPrior: false))
        }
        ProgressObservers.of(self).list.withLock {
            $0.added.add(observer, keyPath: keyPath, context: context, observation: observation)
        }
    }

    /// Ends the observer's latest observation of a key path. Raises if there is none.
    ///
    /// - Parameters:
    ///   - observer: the object that was added.
    ///   - keyPath: the property's name.
    public func removeObserver(_ observer: any KeyValueObserving, forKeyPath keyPath: String) {
        let removed = ProgressObservers.of(self).list.withLock { $0.added.remove(observer, keyPath: keyPath) }
        if !removed { AddedObservers.raiseMissing(observer, keyPath: keyPath, of: self) }
    }

    /// Ends the observer's latest observation of a key path that was added with a context. Raises if there is none.
    ///
    /// - Parameters:
    ///   - observer: the object that was added.
    ///   - keyPath: the property's name.
    ///   - context: what the observer was added with.
    public func removeObserver(
        _ observer: any KeyValueObserving, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
    ) {
        let removed = ProgressObservers.of(self).list.withLock {
            $0.added.remove(observer, keyPath: keyPath, in: .some(context))
        }
        if !removed { AddedObservers.raiseMissing(observer, keyPath: keyPath, of: self) }
    }

    /// The properties that can be observed, as observers are given them.
    private static let values: [String: @Sendable (Progress) -> NSObject] = [
        "fractionCompleted": { NSNumber(value: $0.fractionCompleted) },
        "completedUnitCount": { NSNumber(value: $0.completedUnitCount) },
        "totalUnitCount": { NSNumber(value: $0.totalUnitCount) },
        "isIndeterminate": { NSNumber(value: $0.isIndeterminate) },
        "isFinished": { NSNumber(value: $0.isFinished) },
        "isCancelled": { NSNumber(value: $0.isCancelled) },
        "isPaused": { NSNumber(value: $0.isPaused) },
    ]
}

/// The observers of one progress, kept for it as an associated object.
private final class ProgressObservers: Sendable {
    /// Unchecked because it is used behind a lock.
    struct List: @unchecked Sendable {
        let added = AddedObservers()
    }

    private static let made = Mutex<Void>(())
    // Only its address is used.
    nonisolated(unsafe) private static let key = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)

    let list = Mutex(List())

    static func of(_ progress: Progress) -> ProgressObservers {
        made.withLock { _ in
            if let found = objc_getAssociatedObject(progress, key) as? ProgressObservers { return found }
            let made = ProgressObservers()
            objc_setAssociatedObject(progress, key, made, .OBJC_ASSOCIATION_RETAIN)
            return made
        }
    }
}
