// The handle by which accessors of attributes name theirs, and read and write it.

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
    ///
    /// - Parameters:
    ///   - key: the attribute's name.
    ///   - word: where the value lies in a row, in words of 8 bytes.
    ///   - index: the attribute's number among the entity's.
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
    /// A type that isn't optional reads nil as 0, false, an empty string or data, or the reference date; for UUIDs and
    /// URLs that is a broken contract. A value that can't be had as the type reads as nil, and is logged once.
    @inlinable
    public final subscript<Value: ManagedStorable>(attribute: ManagedAttribute) -> Value {
        get { Value.load(from: self, attribute) }
        set { Value.store(newValue, in: self, attribute) }
    }

    /// The value of an attribute or fetched property of any other type: objects of transformable attributes,
    /// Foundation's classes, dictionaries of composite attributes.
    ///
    /// A value that can't be had as the type reads as nil, and is logged once. A collection that isn't optional reads nil
    /// as empty; other types that aren't optional must not meet nil.
    @_disfavoredOverload
    public final subscript<Value>(attribute: ManagedAttribute) -> Value {
        get {
            if let value = anyValue(attribute), let typed: Value = typed(value, attribute: attribute) {
                return typed
            }
            if let nothing = EmptyValue.of(Value.self) { return nothing }
            raiseNil(attribute, type: Value.self)
        }
        set { setModelled(flattened(newValue), property: property(attribute)) }
    }

    /// The value of an attribute as a case of an enumeration. A value that is no case's reads as the first case, as far as
    /// cases can be found, and is logged once.
    public final subscript<Value: RawRepresentable>(attribute: ManagedAttribute) -> Value
    where Value.RawValue: ManagedStorable {
        get {
            let raw = Value.RawValue.load(from: self, attribute)
            if let value: Value = enumerated(raw, attribute: attribute) ?? EnumerationCases.any(Value.self) {
                return value
            }
            raise(
                .invalidArgument,
                "\"\(attribute.key)\" of \"\(runtime.name)\" is \(raw), which is no \(Value.self)",
                instead: "value(checkingKeyPath:)")
        }
        set { Value.RawValue.store(newValue.rawValue, in: self, attribute) }
    }

    /// The value of an attribute as a case of an enumeration, or nil. A value that is no case's reads as nil, and is logged
    /// once.
    public final subscript<Value: RawRepresentable>(attribute: ManagedAttribute) -> Value?
    where Value.RawValue: ManagedStorable {
        get {
            Value.RawValue.loadIfPresent(from: self, attribute).flatMap {
                enumerated($0, attribute: attribute)
            }
        }
        set { Value.RawValue?.store(newValue?.rawValue, in: self, attribute) }
    }

    // MARK: Finding it

    /// The property that an accessor means: by its place where that is known to hold, else by key.
    final func property(_ attribute: ManagedAttribute) -> PropertyRuntime {
        if attribute.word != 0, !state.traits.contains(.layoutMismatch) {
            return runtime.properties[runtime.slotProperties[attribute.index]]
        }
        let key = "\(attribute.key)"
        guard let property = runtime.property(key) else { raiseUnknown(key) }
        return property
    }

    /// The stored value, as `primitiveValue(forKey:)` gives it.
    final func anyValue(_ attribute: ManagedAttribute) -> Any? { storedValue(property(attribute)) }

    /// A value as the type of its accessor. Nil if it can't be had as that, which is logged.
    final func typed<Value>(_ value: Any, attribute: ManagedAttribute) -> Value? {
        if let typed = value as? Value { return typed }
        if property(attribute).relation != nil, let set: Value = mutableMembers(ofKey: "\(attribute.key)") {
            return set
        }
        warnOfType("\(attribute.key)", value: value, wanted: "\(Value.self)")
        return nil
    }

    /// Says that a property is declared as a type that the model's values can't be had as.
    final func warnOfType(_ key: String, value: Any, wanted: String) {
        Log.warning(
            "\"\(key)\" of entity \"\(runtime.name)\" is declared as \(wanted), but is a \(type(of: value)), which is "
                + "left out: declare the type of the model")
    }

    /// Nil for what is no case's raw value, which is logged unless the value just couldn't be read.
    private final func enumerated<Value: RawRepresentable>(
        _ raw: Value.RawValue, attribute: ManagedAttribute
    ) -> Value? {
        if let value = Value(rawValue: raw) { return value }
        if !hasFailedRead, extras?.probe == nil {
            Log.warning(
                "\"\(attribute.key)\" of entity \"\(runtime.name)\" is \(raw), which is no \(Value.self), and is left out"
            )
        }
        return nil
    }

    /// Stops the process because nil was read as a type that has no value for it.
    final func raiseNil(_ attribute: ManagedAttribute, type: Any.Type) -> Never {
        let remedy =
            extras?.probe == nil
            ? "make it optional or give the attribute a default value"
            : "to name its key path, state it in registerKeys(in:) or let the build plugin do that"
        raise(
            .invalidArgument,
            "\"\(attribute.key)\" of \"\(runtime.name)\" is nil; a property that is a \(type) can't show that: "
                + remedy, instead: "value(checkingKeyPath:)")
    }
}
