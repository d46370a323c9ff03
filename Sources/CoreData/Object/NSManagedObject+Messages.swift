// The messages of Objective-C that a managed object would answer, as far as keys tell: methods have no names without its runtime.

import CoreDataSchema
import Foundation

/// The key that a message is about: `name`, `setName:` and `validateName:error:` are about `name`.
private struct KeyMessage {
    enum Kind {
        case get, set, validate
    }

    let kind: Kind
    /// `setName:` sets `name` or `Name`.
    let keys: [String]

    init?(_ selector: String) {
        let colons = selector.count { $0 == ":" }
        if colons == 0, !selector.isEmpty {
            (kind, keys) = (.get, [selector])
        } else if colons == 1, selector.hasPrefix("set"), selector.hasSuffix(":"), selector.count > 4 {
            (kind, keys) = (.set, Self.keys(selector.dropFirst(3).dropLast()))
        } else if colons == 2, selector.hasPrefix("validate"), selector.hasSuffix(":error:"),
            selector.count > 15
        {
            (kind, keys) = (.validate, Self.keys(selector.dropFirst(8).dropLast(7)))
        } else {
            return nil
        }
    }

    private static func keys(_ name: Substring) -> [String] {
        guard let first = name.first, first.isUppercase else { return [] }
        return [first.lowercased() + name.dropFirst(), String(name)]
    }
}

extension NSManagedObject {
    /// Returns whether the class has a member of that name: one that every managed object has, an `@NSManaged` property that
    /// the build plugin found, or what is registered for a key.
    package static func hasMethod(named selector: String) -> Bool {
        if ObjectMembers.properties.contains(selector) || ObjectMembers.methods.contains(selector)
            || ObjectMembers.methodsWithParameters.contains(selector)
        {
            return true
        }
        guard let message = KeyMessage(selector) else { return false }
        let registry = KeyRegistry.of(self)
        return message.keys.contains { key in
            let entry = registry.entries[key]
            let isStated = registry.places.contains { $0.key == key }
            return switch message.kind {
            case .get: isStated || entry?.get != nil
            case .set: isStated || entry?.set != nil
            case .validate: entry?.validate != nil
            }
        }
    }

    /// Returns whether the object's class has a member of that name, or its entity the property.
    package final func hasMethod(named selector: String) -> Bool {
        if Self.hasMethod(named: selector) { return true }
        guard let message = KeyMessage(selector), message.kind != .validate else { return false }
        return message.keys.contains { key in
            guard let property = runtime.property(key) else { return false }
            if case .fetched = property.kind { return message.kind == .get }
            return true
        }
    }
}
