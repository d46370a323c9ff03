// The entity's properties, own and inherited.

import CoreDataSupport
import Foundation

extension NSEntityDescription {
    final func setProperties(_ properties: [NSPropertyDescription]) {
        let inherited = Set((parent?.joinedProperties() ?? []).map { ObjectIdentifier($0) })
        setOwnProperties(properties.filter { !inherited.contains(ObjectIdentifier($0)) })
    }

    /// The name that an element of a list of properties stands for.
    static func propertyName(_ element: Any, purpose: String) -> String {
        switch element {
        case let property as NSPropertyDescription: return property.name
        case let name as String: return name
        case let keyPath as AnyKeyPath: return KeyPathNames.pathOrRaise(keyPath)
        default: raise(.invalidArgument, "A \(purpose) takes names or descriptions, not \(element).")
        }
    }

    /// Own and inherited properties. Of two with one name the ancestor's counts.
    func joinedProperties() -> [NSPropertyDescription] {
        guard let parent else { return ownProperties }
        let inherited = parent.caches?.properties ?? parent.joinedProperties()
        let names = Set(inherited.map(\.name))
        return inherited + ownProperties.filter { !names.contains($0.name) }
    }

    private func setOwnProperties(_ properties: [NSPropertyDescription]) {
        assertMutable()
        for property in properties where !property.isKindOfEntityProperty {
            raise(
                .invalidArgument,
                "\(type(of: property)) \"\(property.name)\" can't be a property of an entity.")
        }
        for property in ownProperties where property.owner === self { property.owner = nil }
        ownProperties = properties
        for property in properties { property.owner = self }
    }
}
