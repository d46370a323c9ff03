// Names of the keys that Swift key paths read.

import Foundation

/// A class that knows the key for a Swift key path on it: off Apple's systems a key path has no string of its
/// own.
///
/// Every managed object class does, by itself. Other classes, and classes that know better, name theirs.
public protocol KeyPathNaming {
    /// Returns the key path in words, such as `"boss.name"`; nil when it reads something that is no key.
    static func key(for keyPath: AnyKeyPath) -> String?
}

extension NSManagedObject: KeyPathNaming {}

extension KeyPathNaming {
    /// The value at a key path, reached by a key path that has no name.
    subscript<Value>(unnamed keyPath: KeyPath<Self, Value>) -> Value {
        (self as? NSManagedObject)?.extras?.probe?.refuse()
        return self[keyPath: keyPath]
    }
}

extension AnyKeyPath {
    /// The key path in words, when its root knows it.
    var key: String? { try? KeyPathNames.path(self) }

    /// The key path in words, such as `"boss.name"`, when its root is a managed object class or another that knows its
    /// keys; else nil.
    ///
    /// Swift's own property of this name asks the Objective-C runtime, so that it is nil off Apple's systems.
    /// If this module is imported, this one is meant: code that builds queries of key paths stays as it is.
    public var _kvcKeyPathString: String? { key }
}
