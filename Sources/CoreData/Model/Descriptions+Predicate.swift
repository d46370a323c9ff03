// The keys of descriptions that predicates may read: `$FETCHED_PROPERTY.userInfo.word`, `entity.superentity`.

import CoreDataPredicate
package import CoreDataSupport
import Foundation

extension NSPropertyDescription: KeyValueReadable {
    package final var predicateKeys: [String] { ["name", "userInfo", "entity"] }

    package final func predicateValue(forKey key: String) throws -> Value {
        switch key {
        case "name": return .string(name)
        case "userInfo": return Value(userInfo)
        case "entity": return .object(ObjectReference(entity))
        default: throw EvaluationFailure(reason: "a property's description has no key “\(key)”")
        }
    }
}

extension NSEntityDescription: KeyValueReadable {
    package final var predicateKeys: [String] {
        ["name", "userInfo", "managedObjectClassName", "superentity", "isAbstract"]
    }

    package final func predicateValue(forKey key: String) throws -> Value {
        switch key {
        case "name": return Value(name)
        case "userInfo": return Value(userInfo)
        case "managedObjectClassName": return Value(managedObjectClassName)
        case "superentity": return superentity.map { .object(ObjectReference($0)) } ?? .null
        case "isAbstract", "abstract": return Value(isAbstract)
        default: throw EvaluationFailure(reason: "an entity's description has no key “\(key)”")
        }
    }
}
