// Typed primitive values: what accessors of properties like `primitiveName` read and write.

import CoreDataSupport
import Foundation

extension NSManagedObject {
    /// The stored value of a property in the type that an accessor gives it: `primitiveValue(forKey:)` without a cast.
    /// Accessors that are supplied for `@NSManaged var primitiveName: String?` call it.
    public final subscript<Value>(primitive key: String) -> Value? {
        get { primitiveValue(forKey: key).map { primitive($0, key) } }
        set { setPrimitiveValue(newValue, forKey: key) }
    }

    /// The stored value of a property in a type that has no nil: a number that is nil reads as 0 or false, as with
    /// Apple's accessors; for other types nil is a broken contract.
    @_disfavoredOverload
    public final subscript<Value>(primitive key: String) -> Value {
        get {
            if let value = primitiveValue(forKey: key) { return primitive(value, key) }
            guard let zero = NSNumber(value: 0) as? Value else {
                raise(
                    .invalidArgument, "The primitive value of \"\(key)\" is nil, which no \(Value.self) is",
                    instead: "value(checkingKeyPath:)")
            }
            return zero
        }
        set { setPrimitiveValue(newValue, forKey: key) }
    }

    private final func primitive<Value>(_ value: Any, _ key: String) -> Value {
        guard let typed = value as? Value else {
            raise(
                .invalidArgument,
                "The primitive value of \"\(key)\" is a \(type(of: value)), not a \(Value.self)")
        }
        return typed
    }
}
