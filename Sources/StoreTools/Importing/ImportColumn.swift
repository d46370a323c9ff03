// Where a column of a file goes.

import CoreData

/// An attribute, an element of a composite one, or a to-one relationship with what its objects are found by.
struct ImportColumn {
    enum Target {
        case attribute(NSAttributeDescription)
        /// The path below a composite attribute.
        case element(NSAttributeDescription, path: [String])
        /// Named `ENTITY/NUMBER`, or found by an attribute's value.
        case relationship(NSRelationshipDescription, by: NSAttributeDescription?)
    }

    let name: String
    let target: Target

    /// Throws if the entity has no such property, or if it can't be imported.
    init(_ name: String, of entity: NSEntityDescription) throws {
        self.name = name
        let path = name.split(separator: ".").map(String.init)
        switch entity.propertiesByName[path.first ?? name] {
        case let attribute as NSAttributeDescription:
            let writable = try attribute.writable(path.dropFirst(), named: name)
            target = path.count == 1 ? .attribute(attribute) : .element(writable, path: path)
        case let relationship as NSRelationshipDescription:
            target = try Self.target(relationship, Array(path.dropFirst()), name)
        default:
            throw entity.missing(name)
        }
    }

    private static func target(
        _ relationship: NSRelationshipDescription, _ path: [String], _ name: String
    ) throws -> Target {
        if relationship.isToMany {
            throw ToolFailure(
                "\"\(name)\" is a to-many relationship: import the other side of it, "
                    + "\(relationship.inverseRelationship?.name ?? "which has no inverse").")
        }
        guard let key = path.first else { return .relationship(relationship, by: nil) }
        guard path.count == 1,
            let attribute = relationship.destinationEntity?.attributesByName[key], !attribute.isTransient
        else {
            throw ToolFailure(
                "\"\(name)\" finds nothing: \(relationship.destinationEntity?.name ?? "") "
                    + "has no attribute \"\(path.joined(separator: "."))\".")
        }
        return .relationship(relationship, by: attribute)
    }
}
