// How accessors of attributes say which one they mean, and what they read and write it through.

import CoreDataSchema
import CoreDataSupport
import Foundation

/// An attribute of a class's entity, as an accessor names it: `self[ManagedAttribute("name", word: 3, index: 2)]`.
///
/// The numbers say where the attribute lies in the objects' rows. Generated code computes them from the model, and
/// the class's `ManagedKeys` repeats them; they are used only for objects of entities that the `ManagedKeys` were
/// found right for. Everything else goes by key: the same, only slower.
@frozen
public struct ManagedAttribute: Sendable {
    @usableFromInline let key: StaticString
    /// 0, which is no attribute's, if the place isn't known.
    @usableFromInline let word: Int
    @usableFromInline let index: Int

    /// An attribute with its place. The place must be the one that the class's `ManagedKeys` states.
    @inlinable
    public init(_ key: StaticString, word: Int, index: Int) {
        self.key = key
        self.word = word
        self.index = index
    }

    /// An attribute that is found by its key at each access.
    @inlinable
    public init(_ key: StaticString) {
        self.init(key, word: 0, index: 0)
    }
}

extension NSManagedObject {
    /// The value of an attribute. Fires the fault; setting marks the object as changed.
    ///
    /// A type that isn't optional reads nil as 0, false, an empty string or data, or the reference date; for other
    /// types that is a broken contract. So is a type that the attribute's values can't be had as.
    @inlinable
    public final subscript<Value: ManagedStorable>(attribute: ManagedAttribute) -> Value {
        get { Value.load(from: self, attribute) }
        set { Value.store(newValue, in: self, attribute) }
    }

    /// The value of an attribute or fetched property of any other type: objects of transformable attributes,
    /// Foundation's classes, dictionaries of composite attributes. A type that isn't optional must not meet nil.
    @_disfavoredOverload
    public final subscript<Value>(attribute: ManagedAttribute) -> Value {
        get {
            if let value = anyValue(attribute) { return typed(value, attribute) }
            if let type = Value.self as? any OptionalValue.Type, let nothing = type.nothing as? Value {
                return nothing
            }
            raiseNil(attribute, Value.self)
        }
        set { setModelled(flattened(newValue), property(attribute)) }
    }

    /// The value of an attribute as a case of an enumeration. A value that is no case's is a broken contract.
    public final subscript<Value: RawRepresentable>(attribute: ManagedAttribute) -> Value
    where Value.RawValue: ManagedStorable {
        get { enumerated(Value.RawValue.load(from: self, attribute), attribute) }
        set { Value.RawValue.store(newValue.rawValue, in: self, attribute) }
    }

    /// The value of an attribute as a case of an enumeration, or nil.
    public final subscript<Value: RawRepresentable>(attribute: ManagedAttribute) -> Value?
    where Value.RawValue: ManagedStorable {
        get { Value.RawValue.loadIfPresent(from: self, attribute).map { enumerated($0, attribute) } }
        set { Value.RawValue?.store(newValue?.rawValue, in: self, attribute) }
    }

    // MARK: Finding it

    /// The property that an accessor means: by its place where that is known to hold, else by key.
    final func property(_ attribute: ManagedAttribute) -> PropertyRuntime {
        if attribute.word != 0, !state.contains(.unfit) {
            return runtime.properties[runtime.slotProperties[attribute.index]]
        }
        let key = "\(attribute.key)"
        guard let property = runtime.property(key) else { raiseUnknown(key) }
        return property
    }

    /// The stored value, as `primitiveValue(forKey:)` gives it.
    final func anyValue(_ attribute: ManagedAttribute) -> Any? { storedValue(property(attribute)) }

    final func typed<Value>(_ value: Any, _ attribute: ManagedAttribute) -> Value {
        guard let typed = value as? Value else {
            raise(
                .invalidArgument,
                "\"\(attribute.key)\" of \"\(runtime.name)\" is a \(type(of: value)), not a \(Value.self)")
        }
        return typed
    }

    private final func enumerated<Value: RawRepresentable>(
        _ raw: Value.RawValue, _ attribute: ManagedAttribute
    ) -> Value {
        guard let value = Value(rawValue: raw) else {
            if hasFailedRead, let some = EnumerationCases.any(Value.self) { return some }
            raise(
                .invalidArgument,
                "\"\(attribute.key)\" of \"\(runtime.name)\" is \(raw), which is no \(Value.self)",
                instead: "value(checkingKeyPath:)")
        }
        return value
    }

    /// Stops the process because nil was read as a type that has no value for it.
    final func raiseNil(_ attribute: ManagedAttribute, _ type: Any.Type) -> Never {
        raise(
            .invalidArgument,
            "\"\(attribute.key)\" of \"\(runtime.name)\" is nil; a property that is a \(type) can't show that: "
                + "make it optional or give the attribute a default value", instead: "value(checkingKeyPath:)"
        )
    }
}
