// Values by key of collections: what key-value coding gives on Apple's systems for the collections that
// relationships return.

import CoreDataPredicate
import CoreDataSupport
public import Foundation

extension NSArray {
    /// Returns the values of a key of all elements; `NSNull` stands for nil.
    public func value(forKey key: String) -> Any {
        NSArray(array: map { elementValue($0, forKey: key) ?? NSNull() })
    }

    /// Returns the value of a key path, which may start with an operator on the collection: `"@max.age"`.
    public func value(forKeyPath keyPath: String) -> Any? {
        collectionValue(self, forKeyPath: keyPath) { ($0 as? NSArray)?.value(forKey: $1) }
    }

    /// Sets a key of all elements.
    ///
    /// - Parameters:
    ///   - value: the value, or nil.
    ///   - key: the key.
    public func setValue(_ value: Any?, forKey key: String) {
        for element in self { setElementValue(element, value: value, forKey: key) }
    }
}

extension NSSet {
    /// Returns the different values of a key of all members, without nil.
    public func value(forKey key: String) -> Any {
        NSSet(array: allObjects.compactMap { elementValue($0, forKey: key) })
    }

    /// Returns the value of a key path, which may start with an operator on the collection: `"@count"`.
    public func value(forKeyPath keyPath: String) -> Any? {
        collectionValue(self, forKeyPath: keyPath) { ($0 as? NSSet)?.value(forKey: $1) }
    }

    /// Sets a key of all members.
    ///
    /// - Parameters:
    ///   - value: the value, or nil.
    ///   - key: the key.
    public func setValue(_ value: Any?, forKey key: String) {
        for member in allObjects { setElementValue(member, value: value, forKey: key) }
    }
}

extension NSOrderedSet {
    /// Returns the different values of a key of all members, in their order; `NSNull` stands for nil.
    public func value(forKey key: String) -> Any {
        // Made of an array, Foundation's sets keep equal values in their `array`.
        let values = NSMutableOrderedSet()
        for member in array { values.add(elementValue(member, forKey: key) ?? NSNull()) }
        return values
    }

    /// Returns the value of a key path, which may start with an operator on the collection: `"@avg.age"`.
    public func value(forKeyPath keyPath: String) -> Any? {
        collectionValue(self, forKeyPath: keyPath) { ($0 as? NSOrderedSet)?.value(forKey: $1) }
    }

    /// Sets a key of all members.
    ///
    /// - Parameters:
    ///   - value: the value, or nil.
    ///   - key: the key.
    public func setValue(_ value: Any?, forKey key: String) {
        for member in array { setElementValue(member, value: value, forKey: key) }
    }
}

extension NSDictionary {
    /// Returns the value of a key path: `"address.city"` of a dictionary in a dictionary, `"tags.@count"`; nil for a path that
    /// ends before.
    public func value(forKeyPath keyPath: String) -> Any? {
        guard !keyPath.hasPrefix("@"), let dot = keyPath.firstIndex(of: ".") else {
            return keyPath.hasPrefix("@") ? keyPathValue(keyPath, of: self) : self[keyPath]
        }
        let rest = String(keyPath[keyPath.index(after: dot)...])
        switch self[String(keyPath[..<dot])] {
        case nil, is NSNull: return nil
        case let object as NSManagedObject: return object.value(forKeyPath: rest)
        case let dictionary as NSDictionary: return dictionary.value(forKeyPath: rest)
        case let array as NSArray: return array.value(forKeyPath: rest)
        case let set as NSSet: return set.value(forKeyPath: rest)
        case let set as NSOrderedSet: return set.value(forKeyPath: rest)
        case let value?: return keyPathValue(rest, of: value)
        }
    }
}

private func elementValue(_ element: Any, forKey key: String) -> Any? {
    switch element {
    case let object as NSManagedObject: object.value(forKey: key)
    case let array as NSArray: array.value(forKey: key)
    case let set as NSSet: set.value(forKey: key)
    case let set as NSOrderedSet: set.value(forKey: key)
    default: keyPathValue(key, of: element)
    }
}

private func setElementValue(_ element: Any, value: Any?, forKey key: String) {
    switch element {
    case let object as NSManagedObject: object.setValue(value, forKey: key)
    case let dictionary as NSMutableDictionary:
        if let value { dictionary[key] = value } else { dictionary.removeObject(forKey: key) }
    default:
        raise(
            .undefinedKey, "\(type(of: element)) is not key value coding-compliant for the key \"\(key)\"",
            instead: "setValues(checking:)")
    }
}

/// Goes along a path key by key until an operator, which takes the rest.
private func collectionValue(
    _ collection: NSObject, forKeyPath keyPath: String, step: (NSObject, String) -> Any?
) -> Any? {
    guard !keyPath.hasPrefix("@"), let dot = keyPath.firstIndex(of: ".") else {
        return keyPath.hasPrefix("@") ? keyPathValue(keyPath, of: collection) : step(collection, keyPath)
    }
    let rest = String(keyPath[keyPath.index(after: dot)...])
    switch step(collection, String(keyPath[..<dot])) {
    case let array as NSArray: return array.value(forKeyPath: rest)
    case let set as NSSet: return set.value(forKeyPath: rest)
    case let set as NSOrderedSet: return set.value(forKeyPath: rest)
    default: return nil
    }
}

/// Returns the value of the path as predicates take it; a set as Foundation's.
private func keyPathValue(_ path: String, of value: Any) -> Any? {
    do {
        return try Evaluator(bindings: nil).value(of: .keyPath(path), Value(value)).collected
    } catch {
        raise(
            .undefinedKey, "key path \"\(path)\" of \(type(of: value)): \(error)",
            instead: "value(checkingKeyPath:)")
    }
}

extension Value {
    /// The value as key-value coding gives it: a set as an `NSSet`.
    var collected: Any? {
        guard case .set(let members) = self else { return any }
        return NSSet(array: members.compactMap(\.any))
    }
}
