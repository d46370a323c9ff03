// Values that are attached to objects, as the Objective-C runtime keeps them.

import Foundation
import Synchronization

/// The way in which a value is kept for the object that it is attached to.
// swift-format-ignore
public enum objc_AssociationPolicy: UInt, Sendable {
    /// Without keeping it. A value that is gone reads as nil.
    case OBJC_ASSOCIATION_ASSIGN = 0
    /// As it is.
    case OBJC_ASSOCIATION_RETAIN_NONATOMIC = 1
    /// As its copy, if it can be copied.
    case OBJC_ASSOCIATION_COPY_NONATOMIC = 3
    /// As it is.
    case OBJC_ASSOCIATION_RETAIN = 0o1401
    /// As its copy, if it can be copied.
    case OBJC_ASSOCIATION_COPY = 0o1403
}

/// Returns the value that is attached to an object under a key; nil if there is none.
///
/// - Parameters:
///   - object: the object, which must be of a class.
///   - key: an address that stands for the key.
// swift-format-ignore
public func objc_getAssociatedObject(_ object: Any, _ key: UnsafeRawPointer) -> Any? {
    AssociatedObjects.shared.value(of: object as AnyObject, UInt(bitPattern: key))
}

/// Attaches a value to an object under a key, or removes what is there.
///
/// Differs from Apple's in that the values of an object that is gone are let go of a little later, when other values are
/// attached.
///
/// - Parameters:
///   - object: the object, which must be of a class.
///   - key: an address that stands for the key.
///   - value: the value; nil to remove what is there.
///   - policy: whether the value is kept, and whether it is copied.
// swift-format-ignore
public func objc_setAssociatedObject(
    _ object: Any, _ key: UnsafeRawPointer, _ value: Any?, _ policy: objc_AssociationPolicy
) {
    AssociatedObjects.shared.set(
        value.map { AssociatedObjects.Value($0, policy: policy) }, of: object as AnyObject, key: UInt(bitPattern: key))
}

/// Removes all values that are attached to an object.
// swift-format-ignore
public func objc_removeAssociatedObjects(_ object: Any) {
    AssociatedObjects.shared.removeAll(of: object as AnyObject)
}

/// All values that are attached to objects.
private final class AssociatedObjects: @unchecked Sendable {  // its state is behind a lock
    static let shared = AssociatedObjects()

    /// A value as its policy keeps it.
    struct Value {
        private let kept: Any?
        private weak var assigned: AnyObject?

        init(_ value: Any, policy: objc_AssociationPolicy) {
            switch policy {
            case .OBJC_ASSOCIATION_ASSIGN:
                kept = nil
                assigned = value as AnyObject
            case .OBJC_ASSOCIATION_COPY, .OBJC_ASSOCIATION_COPY_NONATOMIC:
                kept = (value as? any NSCopying)?.copy(with: nil) ?? value
            case .OBJC_ASSOCIATION_RETAIN, .OBJC_ASSOCIATION_RETAIN_NONATOMIC: kept = value
            }
        }

        var value: Any? { kept ?? assigned }
    }

    private final class Entry {
        private(set) weak var object: AnyObject?
        var values: [UInt: Value] = [:]

        init(_ object: AnyObject) { self.object = object }
    }

    private let lock = NSLock()
    private var entries: [ObjectIdentifier: Entry] = [:]
    /// The number of values that may be set until released objects are looked for.
    private var remaining = 64

    func value(of object: AnyObject, _ key: UInt) -> Any? {
        lock.withLock { entry(object)?.values[key]?.value }
    }

    func set(_ value: Value?, of object: AnyObject, key: UInt) {
        // Removed values are released without the lock: their end may call back.
        var removed: [Any?] = []
        lock.withLock {
            if let entry = entry(object) {
                removed.append(entry.values[key])
                entry.values[key] = value
            } else if let value {
                removed.append(entries[ObjectIdentifier(object)])
                let entry = Entry(object)
                entry.values[key] = value
                entries[ObjectIdentifier(object)] = entry
            }
            remaining -= 1
            if remaining <= 0 { removed += collect() }
        }
        withExtendedLifetime(removed) {}
    }

    func removeAll(of object: AnyObject) {
        let removed = lock.withLock { entries.removeValue(forKey: ObjectIdentifier(object)) }
        withExtendedLifetime(removed) {}
    }

    /// The entry of an object, not of one that was at its address before.
    private func entry(_ object: AnyObject) -> Entry? {
        entries[ObjectIdentifier(object)].flatMap { $0.object === object ? $0 : nil }
    }

    private func collect() -> [Entry] {
        let gone = entries.filter { $0.value.object == nil }
        for key in gone.keys { entries[key] = nil }
        remaining = max(64, entries.count)
        return Array(gone.values)
    }
}
