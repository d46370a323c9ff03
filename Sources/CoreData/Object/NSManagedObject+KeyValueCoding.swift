// Values by key and key path.

import CoreDataPredicate
import CoreDataSchema
package import CoreDataSupport
import Foundation

extension NSManagedObject {
    final func modelledValue(forKey key: String) -> Any? {
        if let kept = runtime.kept(key) { return kept._withUnsafeGuaranteedRef { value(of: $0) } }
        guard let keyed = runtime.keyed(key) else { return builtInValue(forKey: key) }
        return value(of: keyed)
    }

    @inline(__always)
    private final func value(of keyed: KeyedProperty) -> Any? {
        if let get = keyed.get, let value = call(get, keyed: keyed) { return value }
        if keyed.isPlain, !state.isBusy {
            let row = row
            if RowPointer(row, slab: nil).isNull(keyed.index) { return nil }
            if let value = SlotValue.plain(row[keyed.word], kind: keyed.kind) { return value }
            if keyed.kind == .string, let text = text(CellReference(word: row[keyed.word])) { return text }
        }
        guard let property = keyed.property else { return builtInValue(forKey: keyed.key) }
        return storedValue(property)
    }

    /// Returns the result of a custom getter; nil from within itself, where the stored value is meant.
    private final func call(_ get: (NSManagedObject) -> Any?, keyed: KeyedProperty) -> Any?? {
        AccessorCall.run(keyed, of: self, writes: false) { () -> Any? in
            if state.traits.contains(.observed), let probe = extras?.probe {
                return probe.call(get, key: keyed.key, of: self)
            }
            return get(self)
        }
    }

    /// Returns false within the custom setter itself, where the stored value is meant.
    private final func call(
        _ set: (NSManagedObject, Any?) -> Void, value: Any?, keyed: KeyedProperty
    ) -> Bool {
        let isMissingNumber = value == nil && keyed.setsNumber
        let isDone = AccessorCall.run(keyed, of: self, writes: true) { () -> Bool in
            if !isMissingNumber { set(self, value) }
            return !isMissingNumber
        }
        // Not within the call: what the class sets instead goes through the setter.
        if isDone == false { setNilValueForKey(keyed.key) }
        return isDone != nil
    }

    final func setModelledValue(_ value: Any?, forKey key: String) {
        if let kept = runtime.kept(key) { return kept._withUnsafeGuaranteedRef { set(value, keyed: $0) } }
        guard let keyed = runtime.keyed(key) else { return setValue(value, forUndefinedKey: key) }
        set(value, keyed: keyed)
    }

    @inline(__always)
    private final func set(_ value: Any?, keyed: KeyedProperty) {
        if let set = keyed.set, call(set, value: value, keyed: keyed) { return }
        guard let property = keyed.property else { return setValue(value, forUndefinedKey: keyed.key) }
        // As `storeWord` does: there is nothing to note and nobody to tell.
        if keyed.isPlain, isMarked, !state.isBusy, let value,
            let word = SlotValue.word(ofPlain: value, keyed.kind)
        {
            row[keyed.word] = word
            return RowPointer(row, slab: nil).setNull(keyed.index, isNull: false)
        }
        setModelled(value, property: property)
    }

    /// Sets a property as a client does: with change tracking and inverse.
    final func setModelled(_ value: Any?, property: PropertyRuntime) {
        let value = value.flatMap { SlotValue.isNull($0) ? nil : $0 }
        switch property.kind {
        case .attribute(let slot): change(property) { store(value, slot: slot, property: property) }
        case .composite(let slots):
            change(property) { storeComposite(value, slots: slots, property: property) }
        case .toOne(let slot, let relation):
            setToOne(related(value, relation: relation), slot: slot, relation: relation)
        case .toMany(let relation): toMany(relation).replace(with: members(value, relation: relation))
        case .fetched:
            raise(
                .invalidArgument, "fetched property \"\(property.name)\" can't be set",
                instead: "setValues(checking:)")
        }
    }

    /// Has a closure write a property's slots in the object's own row, and tells of the change.
    @inline(__always)
    final func change(_ property: PropertyRuntime, _ write: () -> Void) {
        observersWill(property.name)
        prepareToChange()
        write()
        noteChange()
        observersDid(property.name)
    }

    private final func builtInValue(forKey key: String) -> Any? {
        switch key {
        case "self", "SELF": self
        case "objectID": objectID
        case "entity": entity
        case "managedObjectContext": managedObjectContext
        case "isInserted": NSNumber(value: isInserted)
        case "isUpdated": NSNumber(value: isUpdated)
        case "isDeleted": NSNumber(value: isDeleted)
        case "isFault": NSNumber(value: isFault)
        case "hasChanges": NSNumber(value: hasChanges)
        default: value(forUndefinedKey: key)
        }
    }

    final func raiseUnknown(_ key: String) -> Never {
        raise(
            .undefinedKey,
            "entity \"\(runtime.name)\" is not key value coding-compliant for the key \"\(key)\"",
            instead: "value(checkingKeyPath:)")
    }

    final func raiseNil(forKey key: String) -> Never {
        raise(
            .invalidArgument,
            "could not set nil as the value for the key \"\(key)\" of entity \"\(runtime.name)\"",
            instead: "setValues(checking:)")
    }

    final func raiseUnknownToSet(_ key: String) -> Never {
        raise(
            .undefinedKey,
            "entity \"\(runtime.name)\" is not key value coding-compliant for the key \"\(key)\"",
            instead: "setValues(checking:)")
    }

    /// Returns the value at the end of a key path, with collection operators (`employees.@sum.salary`).
    public final func value(forKeyPath keyPath: String) -> Any? {
        if !keyPath.contains(".") { return value(forKey: keyPath) }
        var value: Any? = self
        var rest = keyPath.split(separator: ".").map(String.init)[...]
        while let current = value, let key = rest.first {
            switch current {
            case let object as NSManagedObject: value = object.value(forKey: key)
            case let members as NSSet where !key.hasPrefix("@"): value = members.value(forKey: key)
            case let members as NSOrderedSet where !key.hasPrefix("@"): value = members.value(forKey: key)
            default: return evaluated(rest.joined(separator: "."), on: current, of: keyPath)
            }
            rest.removeFirst()
        }
        return value
    }

    /// Returns the value at the end of a path that starts at a collection's operator or at a plain value.
    private final func evaluated(_ path: String, on value: Any, of keyPath: String) -> Any? {
        do {
            return try Evaluator(bindings: nil).value(of: .keyPath(path), Value(value)).collected
        } catch {
            raise(
                .undefinedKey, "key path \"\(keyPath)\" of entity \"\(runtime.name)\": \(error)",
                instead: "value(checkingKeyPath:)")
        }
    }

    /// Sets the value at the end of a key path; the objects before it must be there.
    ///
    /// - Parameters:
    ///   - value: the value, or nil.
    ///   - keyPath: keys, joined with dots.
    public final func setValue(_ value: Any?, forKeyPath keyPath: String) {
        guard let dot = keyPath.firstIndex(of: ".") else { return setValue(value, forKey: keyPath) }
        let (first, rest) = (String(keyPath[..<dot]), String(keyPath[keyPath.index(after: dot)...]))
        switch self.value(forKey: first) {
        case let object as NSManagedObject: object.setValue(value, forKeyPath: rest)
        case nil where runtime.property(first)?.relation != nil: return
        case let composite where runtime.property(first)?.isAttribute == true:
            var elements = composite as? [String: Any] ?? [:]
            if case .composite(let slots)? = runtime.property(first)?.kind {
                guard slots.contains(where: { $0.name == keyPath || $0.name.hasPrefix(keyPath + ".") }) else {
                    raiseUnknownToSet(keyPath)
                }
                CompositeElements.set(value, at: CompositeElements.path(rest), in: &elements)
            } else {
                elements[rest] = value
            }
            setValue(elements, forKey: first)
        default: raiseUnknownToSet(keyPath)
        }
    }

    /// Returns the values of several keys; `NSNull` stands for nil.
    public final func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
        Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }, uniquingKeysWith: { first, _ in first })
    }

    /// Sets several keys; `NSNull` stands for nil.
    public final func setValuesForKeys(_ values: [String: Any]) {
        for (key, value) in values { setValue(value is NSNull ? nil : value, forKey: key) }
    }

    /// The value of a key, as `value(forKey:)` and `setValue(_:forKey:)`.
    public final subscript(key: String) -> Any? {
        get { value(forKey: key) }
        set { setValue(newValue, forKey: key) }
    }
}

extension NSManagedObject: KeyValueReadable {
    package final var predicateKeys: [String] { runtime.properties.filter(\.isAttribute).map(\.name) }

    package final func predicateValue(forKey key: String) throws -> Value {
        guard runtime.propertyNumbers[key] != nil || runtime.binding.keys[key]?.get != nil else {
            switch key {
            case "self", "SELF", "objectID", "entity", "isInserted", "isUpdated", "isDeleted", "isFault",
                "hasChanges", "managedObjectContext":
                return Value(key == "managedObjectContext" ? managedObjectContext : value(forKey: key))
            default: throw EvaluationFailure(reason: "entity \"\(runtime.name)\" has no property \"\(key)\"")
            }
        }
        return Value(value(forKey: key))
    }

    package final func predicatePathIsToMany(_ path: ArraySlice<Substring>) -> Bool {
        runtime.pathIsToMany(path)
    }
}

// In predicates an object and its ID are the same.
extension NSManagedObject: PredicateIdentity {
    package final var predicateIdentity: AnyObject { objectID }
}
