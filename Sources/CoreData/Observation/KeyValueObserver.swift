// Observers in Apple's first manner: an object with one method for all that it observes.

public import Foundation

/// A key of the dictionary that describes a change for `observeValue(forKeyPath:of:change:context:)`.
public struct NSKeyValueChangeKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The kind of change, as an `NSNumber` with a raw value of `NSKeyValueChange`.
    public static let kindKey = NSKeyValueChangeKey(rawValue: "kind")
    /// The new value, if the options ask for it; `NSNull` for nil.
    public static let newKey = NSKeyValueChangeKey(rawValue: "new")
    /// The old value, if the options ask for it; `NSNull` for nil.
    public static let oldKey = NSKeyValueChangeKey(rawValue: "old")
    /// An `IndexSet`: where objects were added to or removed from an ordered relationship.
    public static let indexesKey = NSKeyValueChangeKey(rawValue: "indexes")
    /// There, and `true`, if the change is still to come.
    public static let notificationIsPriorKey = NSKeyValueChangeKey(rawValue: "notificationIsPrior")
}

/// An object that is told of changes of what it observes.
///
/// A class that derives from `NSObject` overrides this method on Apple's systems. Foundation has nothing to override here:
/// such a class derives from `KeyValueObserver` instead, or conforms without the word `override`.
public protocol KeyValueObserving: AnyObject {
    /// Called at each change of a key path that was given to `addObserver(_:forKeyPath:options:context:)`, where the change
    /// is made.
    ///
    /// - Parameters:
    ///   - keyPath: the key path.
    ///   - object: the observed object.
    ///   - change: what changed, as the observation's options say.
    ///   - context: the pointer that was given with the observation.
    func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?)
}

/// The counterpart of `NSObject` for observers on Apple's systems: a superclass whose
/// `observeValue` can be overridden.
///
/// ```swift
/// final class Watcher: KeyValueObserver {
///     override func observeValue(
///         forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
///         context: UnsafeMutableRawPointer?
///     ) { print(keyPath ?? "") }
/// }
/// ```
nonisolated open class KeyValueObserver: NSObject, KeyValueObserving {
    /// Does nothing: a subclass overrides it.
    ///
    /// - Parameters:
    ///   - keyPath: the key path.
    ///   - object: the observed object.
    ///   - change: what changed, as the observation's options say.
    ///   - context: the pointer that was given with the observation.
    open func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
    ) {}
}
