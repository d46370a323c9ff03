// The entity's properties, own and inherited.

import CoreDataSupport
import Foundation

extension NSEntityDescription {
    /// The properties, inherited ones first. An inherited property is the superentity's own description.
    /// Setting the list sets the entity's own; inherited ones in it are passed over.
    public var properties: [NSPropertyDescription] {
        get { caches?.properties ?? joinedProperties() }
        set {
            let inherited = Set((parent?.joinedProperties() ?? []).map { ObjectIdentifier($0) })
            setOwnProperties(newValue.filter { !inherited.contains(ObjectIdentifier($0)) })
        }
    }

    /// The properties by name, inherited ones too.
    public var propertiesByName: [String: NSPropertyDescription] {
        if let caches { return caches.propertiesByName }
        return Dictionary(joinedProperties().map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The attributes by name, inherited ones too.
    public var attributesByName: [String: NSAttributeDescription] {
        caches?.attributesByName ?? propertiesByName.compactMapValues { $0 as? NSAttributeDescription }
    }

    /// The relationships by name, inherited ones too.
    public var relationshipsByName: [String: NSRelationshipDescription] {
        caches?.relationshipsByName ?? propertiesByName.compactMapValues { $0 as? NSRelationshipDescription }
    }

    /// Returns the relationships, inherited ones too, that lead to `entity` itself.
    public func relationships(forDestination entity: NSEntityDescription) -> [NSRelationshipDescription] {
        properties.compactMap { $0 as? NSRelationshipDescription }.filter { $0.destinationEntity === entity }
    }

    /// Attributes whose values, taken together, no two objects may share: lists of names. Names or attribute
    /// descriptions may be set.
    public var uniquenessConstraints: [[Any]] {
        get { constraints }
        set {
            constraints = newValue.map { $0.map { Self.propertyName($0, purpose: "uniqueness constraint") } }
        }
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
