// Models and their parts in words, for logs.

import Foundation

extension NSManagedObjectModel {
    final var text: String {
        let names = entities.map { $0.name ?? "" }.sorted().joined(separator: ", ")
        let versions = versionIdentifiers.map { "\($0)" }.sorted().joined(separator: ", ")
        return
            "(<NSManagedObjectModel: \(placeInMemory)>) versionIdentifiers (\(versions)), entities (\(names))"
    }
}

extension NSEntityDescription {
    final var text: String {
        let properties = properties.map(\.name).joined(separator: ", ")
        let parts = [
            "name \(name ?? "none")", "managedObjectClassName \(managedObjectClassName ?? "none")",
            "isAbstract \(isAbstract)", "superentity name \(superentity?.name ?? "none")",
            "properties (\(properties))",
        ]
        return "(<NSEntityDescription: \(placeInMemory)>) " + parts.joined(separator: ", ")
    }
}

extension NSPropertyDescription {
    final var text: String {
        let parts =
            [
                "name \(name)", "isOptional \(isOptional)", "isTransient \(isTransient)",
                "entity \(owner?.name ?? "none")",
            ] + details
        return "(<\(type(of: self)): \(placeInMemory)>) " + parts.joined(separator: ", ")
    }

    private var details: [String] {
        switch self {
        case let attribute as NSAttributeDescription:
            let value = attribute.defaultValue.map { "\($0)" } ?? "none"
            return ["attributeType \(attribute.attributeType.rawValue)", "defaultValue \(value)"]
        case let relationship as NSRelationshipDescription:
            return [
                "destination entity \(relationship.destinationEntity?.name ?? "none")",
                "inverse \(relationship.inverseRelationship?.name ?? "none")",
                "minCount \(relationship.minCount)", "maxCount \(relationship.maxCount)",
                "isOrdered \(relationship.isOrdered)",
            ]
        case let fetched as NSFetchedPropertyDescription:
            return ["fetchRequest \(fetched.fetchRequest.map { "\($0)" } ?? "none")"]
        default: return []
        }
    }
}
