// Transformers between objects and keyed archives.

import Foundation

/// Makes an object of the data of a keyed archive, provided that it is of an allowed class, and an archive of such
/// an object. Transformable attributes without a transformer of their own use it.
open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
    public override init() {
        super.init()
    }

    /// The classes that an archive may hold: collections, strings, numbers, dates, data, URLs, UUIDs and null
    /// unless overridden. A subclass of an allowed class is allowed.
    open class var allowedTopLevelClasses: [AnyClass] { SecureArchive.defaultClasses }

    open override class func transformedValueClass() -> AnyClass { NSObject.self }
    open override class func allowsReverseTransformation() -> Bool { true }

    /// Returns the object in an archive; `nil` for `nil`, and for bytes that can't be read or hold another
    /// class.
    open override func transformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data else { return nil }
        return try? SecureArchive.object(from: data, allowed: .classes(Self.allowedTopLevelClasses))
    }

    /// Returns the archive of an object; `nil` for `nil`, and for an object of a class that isn't allowed.
    open override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let value else { return nil }
        return try? SecureArchive.data(for: value, allowed: .classes(Self.allowedTopLevelClasses))
    }
}

/// `NSKeyedUnarchiveFromData`: like the secure one, but for objects of any class.
final class KeyedUnarchiveTransformer: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data else { return nil }
        return try? SecureArchive.object(from: data, allowed: .any)
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let value else { return nil }
        return try? SecureArchive.data(for: value, allowed: .any)
    }
}
