// Typed primitive values: what accessors of properties like `primitiveName` read and write.

import CoreDataSchema
import CoreDataSupport
import Foundation

extension NSManagedObject {
    /// The stored value of a property in the type that an accessor gives it: `primitiveValue(forKey:)` without a cast.
    /// Accessors that are supplied for `@NSManaged var primitiveName: String?` call it. `primitiveName` stands for `name`, or
    /// `Name`, unless the entity has a property of that very name. A value of another type reads as nil, and is logged once.
    public final subscript<Value>(primitive key: String) -> Value? {
        get { primitiveValue(forKey: primitiveKey(key)).flatMap { primitive($0, key: key) } }
        set { setPrimitiveValue(newValue, forKey: primitiveKey(key)) }
    }

    /// The stored value of a property in a type that has no nil: a number that is nil, or of another type, reads as 0 or
    /// false, as with Apple's accessors, a text or collection as empty; for other types nil is a broken contract.
    @_disfavoredOverload
    public final subscript<Value>(primitive key: String) -> Value {
        get {
            if let value = primitiveValue(forKey: primitiveKey(key)),
                let typed: Value = primitive(value, key: key)
            {
                return typed
            }
            if let nothing = NSNumber(value: 0) as? Value ?? "" as? Value ?? EmptyValue.of(Value.self) {
                return nothing
            }
            raise(
                .invalidArgument, "The primitive value of \"\(key)\" is nil, which no \(Value.self) is",
                instead: "value(checkingKeyPath:)")
        }
        set { setPrimitiveValue(newValue, forKey: primitiveKey(key)) }
    }

    private final func primitiveKey(_ key: String) -> String {
        guard key.hasPrefix("primitive"), runtime.property(key) == nil else { return key }
        let rest = key.dropFirst("primitive".count)
        guard let first = rest.first, first.isUppercase else { return key }
        let lowered = first.lowercased() + rest.dropFirst()
        return runtime.property(lowered) == nil && runtime.property(String(rest)) != nil
            ? String(rest) : lowered
    }

    private final func primitive<Value>(_ value: Any, key: String) -> Value? {
        if let typed = value as? Value { return typed }
        warnOfType(key, value: value, wanted: "\(Value.self)")
        return nil
    }
}
