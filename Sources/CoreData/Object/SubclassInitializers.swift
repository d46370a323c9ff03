// Objects of subclasses that clients name, where the initialiser isn't `required`.

import CoreDataSupport
import CSwiftRuntime
import Foundation

extension NSObject {
    /// Makes an object by the `init()` of the class that this is called on.
    static func makeByMetatype() -> Self {
        let metadata = unsafeBitCast(self as AnyClass, to: UnsafeRawPointer.self)
        let entry = swift_lookUpClassMethod(metadata, objectInit(), objectDescriptor())
        return Unmanaged<Self>.fromOpaque(allocateObject(entry, metadata)).takeRetainedValue()
    }

    /// An object of the class that this is called on with the fields of `NSObject`; those of its other classes are zeros.
    static func allocatedAsObject() -> Self {
        let object = allocateAsObject(unsafeBitCast(self as AnyClass, to: UnsafeRawPointer.self))
        return Unmanaged<Self>.fromOpaque(object).takeRetainedValue()
    }
}

extension NSPredicate {
    /// The same with the fields of `NSPredicate`.
    static func allocatedAsPredicate() -> Self {
        let object = allocateAsPredicate(unsafeBitCast(self as AnyClass, to: UnsafeRawPointer.self))
        return Unmanaged<Self>.fromOpaque(object).takeRetainedValue()
    }
}

extension NSPersistentStore {
    /// Makes a store by the initialiser of the class that this is called on.
    final class func make(
        _ coordinator: NSPersistentStoreCoordinator?, configurationName: String?, at url: URL,
        options: [AnyHashable: Any]?
    ) -> NSPersistentStore {
        let words =
            Self.words(coordinator, count: 1) + Self.words(configurationName, count: 2)
            + Self.words(url, count: 2)
            + Self.words(options, count: 1)
        let metadata = unsafeBitCast(self, to: UnsafeRawPointer.self)
        let entry = swift_lookUpClassMethod(metadata, persistentStoreInit(), persistentStoreDescriptor())
        let store = allocateObjectOf6(entry, metadata, words)
        return Unmanaged<NSPersistentStore>.fromOpaque(store).takeRetainedValue()
    }

    /// A value as the words that it is passed in, owned by who gets them.
    private final class func words<Value>(_ value: Value, count: Int) -> [UInt] {
        guard MemoryLayout<Value>.size == count * MemoryLayout<UInt>.size else {
            raise(.internalInconsistency, "a \(Value.self) isn't passed in \(count) words")
        }
        return withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { place in
            place.initializeElement(at: 0, to: value)
            return UnsafeRawBufferPointer(place).bindMemory(to: UInt.self).map { $0 }
        }
    }
}
