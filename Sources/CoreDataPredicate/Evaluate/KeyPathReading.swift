// Key paths over values: objects, dictionaries, and through collections to what their elements have.

import CoreDataSupport
import Foundation

enum KeyPathReading {
    static func read(_ path: String, from value: Value) throws -> Value {
        if !path.utf8.contains(UInt8(ascii: ".")), !path.hasPrefix("@") {
            return try step(path, from: value, path: [path[...]])
        }
        let components = path.split(separator: ".", omittingEmptySubsequences: false)
        return try read(components[...], from: value)
    }

    private static func read(_ components: ArraySlice<Substring>, from value: Value) throws -> Value {
        var value = value
        for index in components.indices {
            let key = components[index]
            if key.first == "@" {
                let rest = components[(index + 1)...]
                return try CollectionOperator.apply(String(key), to: value) { element in
                    rest.isEmpty ? element : try read(rest, from: element)
                }
            }
            let path = components[index...].prefix { $0.first != "@" }
            value = try step(String(key), from: value, path: path)
        }
        return value
    }

    /// One key. Over a collection the values of all elements, nil among them, with collections made flat: what
    /// `ANY` asks about. Nothing is behind nil.
    /// - Parameter path: the key and those after it.
    private static func step(
        _ key: String, from value: Value, path: ArraySlice<Substring>
    ) throws -> Value {
        switch value {
        case .null: return .null
        case _ where key == "self" || key == "SELF": return value
        case .object(let reference):
            guard let object = reference.object as? any KeyValueReadable else {
                throw EvaluationFailure(reason: "\(type(of: reference.object)) has no key “\(key)”")
            }
            return try object.predicateValue(forKey: key)
        case .dictionary(let pairs): return pairs[.string(key)] ?? .null
        case .array, .set: return .array(try collected(key, elements: value.elements ?? [], path: path))
        default: return try Methods.call(key, on: value, arguments: [])
        }
    }

    /// A collection that is the value of an attribute is one value. Behind a to-one key that is nil a to-many
    /// key has no elements, where an attribute is nil.
    private static func collected(
        _ key: String, elements: [Value], path: ArraySlice<Substring>
    ) throws -> [Value] {
        var result: [Value] = []
        result.reserveCapacity(elements.count)
        func isMany(_ element: Value) -> Bool { !element.isObject || element.leadsToMany(path.prefix(1)) }
        for element in elements {
            let value = try step(key, from: element, path: path)
            switch value {
            case .array where isMany(element), .set where isMany(element):
                result.append(contentsOf: value.elements ?? [])
            case .null where path.count > 1 && element.leadsToMany(path): break
            default: result.append(value)
            }
        }
        return result
    }

    /// Returns the values that `ANYKEY` stands for.
    static func allValues(of value: Value) throws -> Value {
        switch value {
        case .dictionary(let pairs): return .array(Array(pairs.values))
        case .object(let reference):
            guard let object = reference.object as? any KeyValueReadable else { break }
            return .array(try object.predicateKeys.map { try object.predicateValue(forKey: $0) })
        default: break
        }
        throw EvaluationFailure(reason: "ANYKEY needs an object with keys, not \(value.kindName)")
    }
}

extension Value {
    fileprivate var isObject: Bool {
        if case .object = self { true } else { false }
    }

    /// Returns whether a key path from this object goes through a to-many key.
    fileprivate func leadsToMany(_ path: ArraySlice<Substring>) -> Bool {
        guard case .object(let reference) = self, let object = reference.object as? any KeyValueReadable
        else {
            return false
        }
        return object.predicatePathIsToMany(path)
    }
}
