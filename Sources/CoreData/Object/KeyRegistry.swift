// Custom getters, setters and validators by key. Apple's framework finds such methods by name through the
// Objective-C runtime; without one, a class states them here, by hand or in generated code.

import CoreDataSupport
import Foundation
import Synchronization

/// Collects what a managed object class offers under keys. See `NSManagedObject.registerKeys(in:)`.
public struct KeyRegistry {
    struct Entry {
        var get: ((NSManagedObject) -> Any?)?
        var set: ((NSManagedObject, Any?) -> Void)?
        /// Indicates that `set` takes a number or a Boolean, which can't be nil.
        var setsNumber = false
        /// A closure that returns whether `set` takes a value.
        var accepts: ((Any?) -> Bool)?
        var validate: ((NSManagedObject, inout Any?) throws -> Void)?
        /// Keys whose values this one's value is made of.
        var dependsOn: Set<String> = []
        /// The Swift key path that reads the key, where the class stated one.
        var keyPath: AnyKeyPath?
    }

    private(set) var entries: [String: Entry] = [:]
    /// The keys of key paths that read stored properties.
    private var keyPaths: [AnyKeyPath: String] = [:]
    /// The places that the companions of the class and its superclasses state.
    private(set) var places: [StatedPlace] = []

    /// States that `value(forKey: key)` is what the closure returns: a custom getter or a calculated property.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - get: returns the value for an object.
    public mutating func getter<Object: NSManagedObject, Value>(
        _ key: String, _ get: @escaping (Object) -> Value
    ) {
        entries[key, default: Entry()].get = { object in
            (object as? Object).flatMap { flattened(get($0)) }
        }
    }

    /// States that `value(forKey: key)` is what a property of the class gives, which needn't be called like the key.
    /// The key path then names the key, in sort descriptors for example.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - keyPath: the key path of the property.
    public mutating func getter<Object: NSManagedObject, Value>(
        _ key: String, _ keyPath: KeyPath<Object, Value>
    ) {
        getter(key) { (object: Object) in object[keyPath: keyPath] }
        entries[key]?.keyPath = keyPath
    }

    /// States that `setValue(_:forKey: key)` calls the closure. A value of another type is a broken contract; nil for
    /// a number or a Boolean is what `setNilValueForKey(_:)` says.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - set: sets the value for an object.
    public mutating func setter<Object: NSManagedObject, Value>(
        _ key: String, _ set: @escaping (Object, Value) -> Void
    ) {
        entries[key, default: Entry()].set = { object, value in
            guard let object = object as? Object, let value = converted(value, to: Value.self) else {
                raise(
                    .invalidArgument,
                    "Unacceptable type of value for key \"\(key)\": \(String(describing: value))",
                    instead: "setValues(checking:)")
            }
            set(object, value)
        }
        entries[key]?.setsNumber =
            Value.self is any BinaryInteger.Type || Value.self is any BinaryFloatingPoint.Type
            || Value.self == Bool.self
        entries[key]?.accepts = { converted($0, to: Value.self) != nil }
    }

    /// States that `setValue(_:forKey: key)` sets a property of the class, which needn't be called like the key.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - keyPath: the key path of the property.
    public mutating func setter<Object: NSManagedObject, Value>(
        _ key: String, _ keyPath: ReferenceWritableKeyPath<Object, Value>
    ) {
        setter(key) { (object: Object, value: Value) in object[keyPath: keyPath] = value }
    }

    /// States how one key's value is validated; the closure may replace the value.
    ///
    /// - Parameters:
    ///   - key: the property's name.
    ///   - validate: gets the object and the value; the error that it throws comes out of the save.
    public mutating func validator<Object: NSManagedObject>(
        _ key: String, _ validate: @escaping (Object, inout Any?) throws -> Void
    ) {
        entries[key, default: Entry()].validate = { object, value in
            if let object = object as? Object { try validate(object, &value) }
        }
    }

    /// States of which other keys' values this key's value is made: whoever observes it is told of their changes.
    /// A key of a related object is a path through to-one relationships, `"company.name"`.
    ///
    /// - Parameters:
    ///   - key: the key of the value that is made of others.
    ///   - keys: the others' keys.
    public mutating func dependency(_ key: String, on keys: String...) {
        dependency(key, on: Set(keys))
    }

    /// States the same with the keys as a set, which `keyPathsForValuesAffectingFullName()` and its kin return.
    ///
    /// - Parameters:
    ///   - key: the key of the value that is made of others.
    ///   - keys: the others' keys.
    public mutating func dependency(_ key: String, on keys: Set<String>) {
        entries[key, default: Entry()].dependsOn.formUnion(keys)
    }

    /// States where the accessor of an attribute finds it, and the type that the accessor gives it. The library
    /// compares that with each entity that the class is used for.
    ///
    /// - Parameters:
    ///   - key: the attribute's name.
    ///   - word: where the value lies in a row, in words of 8 bytes; 0 if that isn't known.
    ///   - index: the attribute's number among the entity's.
    ///   - type: the type of the accessor.
    public mutating func attribute(_ key: String, word: Int, index: Int, of type: Any.Type = Any.self) {
        places.append(.attribute(key, word: word, index: index, type))
    }

    /// States the number that the accessors of a relationship or a fetched property use for it.
    ///
    /// - Parameters:
    ///   - key: the relationship's name.
    ///   - number: its number among the entity's relationships and fetched properties.
    public mutating func relationship(_ key: String, number: Int) {
        places.append(.relationship(key, number: number))
    }

    /// States the key that a key path on the class reads. Without it, the key path is named by reading it on an object made
    /// for that, which takes a model with an entity of the class, and a value for the property.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - keyPath: the key path that reads it.
    public mutating func keyPath(_ key: String, _ keyPath: AnyKeyPath) {
        keyPaths[keyPath] = key
    }

    /// Has a function state what it knows of a class's members. It may be the main actor's, as members of extensions are in
    /// a target whose isolation that is. It names them only, on whatever thread the class is used first. Generated code
    /// calls this.
    public mutating func register<Members>(_ members: Members) {
        typealias Function = (inout KeyRegistry) -> Void
        let isFunction = MemoryLayout<Members>.size == MemoryLayout<Function>.size
        precondition(isFunction, "it takes a function")  // generated code hands over nothing else
        unsafeBitCast(members, to: Function.self)(&self)
    }

    /// The key that was stated for a key path.
    func key(for keyPath: AnyKeyPath) -> String? {
        keyPaths[keyPath] ?? entries.first { $0.value.keyPath == keyPath }?.key
    }

    /// Returns true if the key path was stated as one that reads a stored property.
    func isStored(_ keyPath: AnyKeyPath) -> Bool { keyPaths[keyPath] != nil }

    // MARK: Registration from outside a class

    private static let registrations = Mutex<[ObjectIdentifier: [@Sendable (inout KeyRegistry) -> Void]]>([:])

    static func add(
        for objectClass: NSManagedObject.Type, _ registration: @escaping @Sendable (inout KeyRegistry) -> Void
    ) {
        registrations.withLock { $0[ObjectIdentifier(objectClass), default: []].append(registration) }
    }

    /// Returns the keys that a class and its superclasses state, with the keys of the class's own key paths.
    static func withKeyPaths(of objectClass: NSManagedObject.Type) -> KeyRegistry {
        var registry = of(objectClass)
        ManagedKeys.of(objectClass)?.registerKeyPaths(in: &registry)
        return registry
    }

    /// Returns the keys that a class and its superclasses state.
    static func of(_ objectClass: NSManagedObject.Type) -> KeyRegistry {
        var registry = KeyRegistry()
        var chain: [NSManagedObject.Type] = []
        var next: AnyClass? = objectClass
        while let current = next as? NSManagedObject.Type {
            chain.append(current)
            next = _getSuperclass(current)
        }
        for current in chain.reversed() {
            ManagedKeys.of(current)?.register(in: &registry)
            for registration in registrations.withLock({ $0[ObjectIdentifier(current)] ?? [] }) {
                registration(&registry)
            }
        }
        objectClass.registerKeys(in: &registry)
        return registry
    }
}

/// A value as the type that a setter takes. Any numeric type fits another, which casts don't do off Apple's systems.
private func converted<Wanted>(_ value: Any?, to type: Wanted.Type) -> Wanted? {
    if let value = (value as Any) as? Wanted { return value }
    return (Value(value).any as Any) as? Wanted
}
